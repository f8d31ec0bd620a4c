# docker build -t bellwether .
# Two stages: one that compiles and builds, and one that holds what a running service needs and nothing else.
FROM node:24-bookworm AS build
WORKDIR /app
# By themselves, so that a change of sources does not install everything anew.
COPY package.json package-lock.json ./
COPY src/build src/build
RUN node src/build/prepare.mjs --dependencies
COPY . .
RUN node src/build/prepare.mjs \
  && npm prune --omit=dev --no-audit --no-fund \
  # For editors and debuggers: a third of all modules.
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && rm -rf dist/test dist/.compile-cache

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/tmp/compile-cache \
    HOST=0.0.0.0 \
    PORT=9099 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# The program belongs to root and cannot be changed by who runs it; what it keeps is in /data alone.
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 9099
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by npm, which would stand between the service and the signal that asks it to end in good order.
CMD ["node", "dist/src/main.js"]
