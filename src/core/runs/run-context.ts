import type { AccessPolicy } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Assistant } from '../assistants/assistant.js';
import type { Kept } from '../base/memo.js';
import type { RunBudget } from '../budgets/run-budget.js';
import type { McpServers } from '../clients/mcp.js';
import type { Moodle, MoodleSettings } from '../clients/moodle.js';
import type { JsonSchema } from '../json-schema.js';
import type { KnowledgeFindings, KnowledgeQuestion } from '../knowledge/embedder.js';
import type { Logger } from '../log.js';
import type { ChatMessage } from '../message.js';
import type { AskApproval } from './approval.js';
import type { OrganizationFeatures } from '../organizations/features.js';
import type { OrganizationLimits } from '../organizations/limits.js';
import type { ToolSecret, ToolSecrets } from '../organizations/tool-secrets.js';
import type { EmbeddingsEndpoint, RerankEndpoint, RerankQuestion } from '../provider.js';
import type { StoredRubric } from '../rubrics/rubric.js';
import type { Circuits } from './circuit.js';
import type { AnswerStep, BroughtResult } from './conversation.js';
import type { Doing, NumberedSource, Tell, Usage } from './event.js';
import type { ModelChoice, Sampling } from './model-choice.js';
import type { PriceList } from './prices.js';
import type { RunStep } from './record.js';

export interface ProviderSettings {
  readonly enabled: boolean;
  /** Empty for a server that asks for none. Opened when read, which throws when it cannot be. */
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly defaultModel: string | undefined;
  /** Of providers whose addresses carry one. */
  readonly apiVersion?: string | undefined;
}

/** What an organisation has set up, resolved for one run. Holds secrets: it never leaves the process. */
export interface Settings {
  /** By the provider's name; one that is not set up is not here. */
  readonly providers: Readonly<Partial<Record<string, ProviderSettings>>>;
  readonly globalDefaultModel?: ModelChoice | undefined;
  readonly smallFastModel?: ModelChoice | undefined;
  /** Looks at pictures that are documents. */
  readonly visionModel?: ModelChoice | undefined;
  /** For orchestrators that name no connector. */
  readonly toolUseModel?: ModelChoice | undefined;
  /** Asked once when the chosen model cannot be reached. */
  readonly fallbackModel?: ModelChoice | undefined;
  /** For the headers of tools, by name. */
  readonly secrets: ReadonlyMap<string, ToolSecret>;
  readonly weather: { readonly forecastUrl: string; readonly geocodingUrl: string };
  readonly moodle?: MoodleSettings | undefined;
  /** The knowledge base server of an organisation that keeps one. */
  readonly knowledgeServer?: KnowledgeServer | undefined;
  /** Whose vectors passages get; absent where they are found by words alone. */
  readonly embeddings?: EmbeddingSettings | undefined;
  /** Who orders passages by how well they answer; absent where the small fast model does, if there is one. */
  readonly reranker?: ProvidersModel<RerankEndpoint> | undefined;
  readonly prices: PriceList;
  readonly limits: OrganizationLimits;
  readonly features: OrganizationFeatures;
}

export interface KnowledgeServer {
  readonly url: string;
  /** Opened when read. */
  readonly token: string;
}

/** `local` is a model that runs in this very process: the one of that name, or the usual one. */
export type EmbeddingSettings =
  { readonly provider: 'local'; readonly name: string | undefined } | ProvidersModel<EmbeddingsEndpoint>;

/** A model of a provider, and how to ask it. */
export interface ProvidersModel<Endpoint> {
  readonly provider: string;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly baseUrl: string;
  /** Opened when read. */
  readonly apiKey: string;
}

export interface Limits {
  readonly toolTimeoutMs: number;
  readonly runTimeoutMs: number;
  readonly modelSilenceMs: number;
  readonly toolConcurrency: number;
  readonly toolResultMaxChars: number;
  readonly approvalTimeoutMs: number;
}

/** What a provider answers, as it comes; read once, in one of two ways. */
export interface AnswerBody extends AsyncIterable<Uint8Array> {
  /**
   * Hands on all that has arrived, at once and without a promise, to the end. More comes when the promise that `take` may give
   * is settled; what it throws ends the reading, and the sending.
   */
  read(take: (bytes: Uint8Array) => Promise<void> | undefined): Promise<void>;
  /**
   * All that is wanted has come: for the reader this is the end, whatever becomes of the connection. Some servers say their
   * last word and leave it open.
   */
  enough(): void;
}

/** HTTP to model providers, on kept-alive connections. Rejects when no answer came. */
export interface ModelTransport {
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly status: number;
    readonly header: (name: string) => string | undefined;
    readonly body: AnswerBody;
    /** Lets the connection go when the body is of no interest. */
    readonly discard: () => Promise<void>;
  }>;
}

/** The private files of one person. Paths are relative; nothing outside can be named. */
export interface OwnFiles {
  read(
    path: string,
    options: { readonly maxChars: number },
  ): Promise<{ readonly text: string; readonly cut: boolean }>;
  /** The whole file; one that is larger is refused. */
  readBytes(path: string, options: { readonly maxBytes: number }): Promise<Uint8Array>;
  /**
   * Changes a file that is there, whole or not at all: nobody else writes between the reading and the writing, and what
   * was there is kept as a backup. `edit` is pure, and refuses by throwing.
   */
  change(path: string, edit: (bytes: Uint8Array) => Uint8Array, options: FileChange): Promise<void>;
}

export interface FileChange {
  /** The folder the file must lie in, wherever links lead; "." for anywhere in the store. */
  readonly within: string;
  /** A larger file is refused. */
  readonly maxBytes: number;
  /** Once it has fired, nothing is written any more. */
  readonly signal: AbortSignal;
}

/** What everybody who works on a run knows of it. */
export interface RunFacts {
  readonly caller: Caller;
  readonly assistant: Assistant;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** What a tool may see of the run it is part of, before and during a call. */
export interface ToolServices extends RunFacts {
  /** Refuses private addresses, caps what comes back, ends with the run. */
  readonly fetch: typeof fetch;
  /** The file store of the assistant's owner. */
  readonly files: OwnFiles;
  /** The rubrics the assistant's owner may use now; any other is not there. */
  readonly rubrics: { get(id: string): Promise<StoredRubric | undefined> };
  /** An address that shows whoever has it what was read of a file or rubric of the assistant's owner. */
  linkTo(source: {
    readonly kind: 'file' | 'rubric';
    readonly id: string;
    readonly maxChars: number;
  }): string;
  /** The knowledge bases the assistant's owner may use now; any other is not there. */
  readonly knowledge: Knowledge;
  /** The organisation's secrets, as far as a tool may use them. */
  readonly secrets: ToolSecrets;
  /** Servers of the Model Context Protocol, with the organisation's own sessions. */
  readonly mcp: McpServers;
  /** The organisation's Moodle, for the person behind the request alone; undefined where none is set up. */
  readonly moodle: Moodle | undefined;
  describeAssistant(id: number): Promise<{ readonly name: string; readonly description: string } | undefined>;
}

/** Knowledge bases, by their ids, wherever their passages are. */
export interface Knowledge {
  describe(id: string): Promise<{ readonly name: string; readonly description: string } | undefined>;
  /**
   * Of all of them at the same time, merged by similarity. What is not the owner's to use is not asked for; throws only
   * when nothing could be asked.
   */
  search(ids: readonly string[], question: KnowledgeQuestion): Promise<KnowledgeFindings>;
}

/** What a tool wants to know from a model. What it works on is data and belongs into `user`. */
export interface ModelQuestion {
  readonly system: string;
  readonly user: string;
  /** Another model of the assistant's connector; the assistant's own when absent. */
  readonly llm?: string | undefined;
  /** The answer is asked for in this form. Whether it came in it is for the tool to check. Absent: plain text. */
  readonly answer?: { readonly name: string; readonly schema: JsonSchema };
  /** One word that tells it from the tool's other questions, for the trace. */
  readonly purpose?: string;
  /** It is given up on after so long; without, when the tool's own time is up. */
  readonly withinMs?: number;
}

export type SmallQuestion = Omit<ModelQuestion, 'llm'>;

/** Texts that are to be put in order by how well they answer. */
export interface RerankWish extends RerankQuestion {
  /** It is given up on after so long. */
  readonly withinMs: number;
}

/** A picture somebody wants. */
export interface PictureWish {
  readonly prompt: string;
  readonly model: string;
  /** Such as `16:9`; the model's own choice when absent. */
  readonly aspectRatio?: string;
}

export interface DrawnPictures {
  /** Each as Markdown that shows it. There may be none, when the model answered in words alone. */
  readonly pictures: readonly string[];
  readonly text: string;
  readonly usage: Usage;
}

/** Has pictures drawn and keeps them, privately, in the file store of whoever is chatting. */
export interface Pictures {
  draw(wish: PictureWish, signal: AbortSignal): Promise<DrawnPictures>;
}

/** A question as the run puts it: for which call, and until when. */
export interface AskedQuestion extends ModelQuestion {
  readonly tool: string;
  readonly iteration: number;
  readonly callId?: string;
  readonly signal: AbortSignal;
}

export interface ChildAnswer {
  readonly text: string;
  readonly sources: readonly NumberedSource[];
}

/** What a tool gets for one call. Nothing here is shared with another call. */
export interface ToolContext extends ToolServices {
  readonly chat: readonly ChatMessage[];
  /** The function that was called, as the tool itself named it; empty when it fills a placeholder. */
  readonly functionName: string;
  /** `doing` lets pages say it in their reader's language; without it they show the label. */
  progress(label: string, percent?: number, doing?: Doing): void;
  /** Runs another assistant on one question. Checked again inside: the tool is not trusted to have asked. */
  askAssistant(id: number, question: string, history: readonly ChatMessage[]): Promise<ChildAnswer>;
  /** One answer of the assistant's model, as text; its cost is the run's. */
  askModel(question: ModelQuestion): Promise<string>;
  /** The same of the organisation's small fast model; undefined where it has none. */
  askSmallModel(question: SmallQuestion): Promise<string | undefined>;
  /**
   * The places of the texts, the best first, as the organisation's reranker finds; undefined where it has none. Its cost
   * is the run's.
   */
  rerank(wish: RerankWish): Promise<readonly number[] | undefined>;
  /** Has a picture drawn with the organisation's provider; its cost is the run's. */
  drawPicture(wish: PictureWish): Promise<DrawnPictures>;
}

export interface ChildRequest {
  readonly runId: string;
  readonly assistantId: number;
  readonly question: string;
  readonly history: readonly ChatMessage[];
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly tell: Tell;
}

/** Everything one run needs; made by run-assistant, read by the rooms below it. */
export interface RunContext extends RunFacts {
  readonly runId: string;
  readonly chat: readonly ChatMessage[];
  /** All that the tools of this run may see. Most runs have no tool that would look. */
  readonly toolServices: () => ToolServices;
  /** Absent where nobody would see the question. */
  readonly askApproval?: AskApproval | undefined;
  readonly sampling: Sampling;
  readonly limits: Limits;
  readonly policy: AccessPolicy;
  readonly models: ModelTransport;
  readonly circuits: Circuits;
  readonly pictures: Pictures;
  readonly deadline: { nearlySpent(): boolean };
  /** What may be spent; undefined where no budget applies. */
  readonly budget: RunBudget | undefined;
  readonly trace: Trace;
  /** Of what was said so far, for the next question to a model. */
  readonly kept: Kept;
  /** The assistant as it is in the database now; undefined once it is gone or disabled. */
  readonly currentAssistant: () => Promise<Assistant | undefined>;
  readonly startChild: (request: ChildRequest) => Promise<ChildAnswer>;
  readonly askModel: (question: AskedQuestion) => Promise<string>;
  /** The organisation's small fast model; undefined where it has none. */
  readonly askSmallModel: (question: AskedQuestion) => Promise<string | undefined>;
  /** False for a preview, which asks no model. */
  readonly mayRerank?: boolean;
  readonly audit: (denial: {
    readonly action: string;
    readonly resource: string;
    readonly reason: string;
  }) => void;
}

/** Remembers what a run did, for its record. */
export interface Trace {
  step(step: RunStep): void;
  /** A call that came to its end, as it was told. */
  ended(step: AnswerStep): void;
  /** What a function brought, where that is remembered. */
  brought(result: BroughtResult): void;
}
