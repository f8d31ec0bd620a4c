/**
 * The words that carry a language's sentences and say nothing by themselves, question words among them. They tell
 * languages apart, and nobody is searched for by them.
 */
export const FUNCTION_WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: `a about after all also am an and any are as at be because been before being between both but by can could did do
      does doing during each few for from further had has have having he her here hers him his how i if in into is it its
      itself just me more most my no nor not of on only or other our ours out over own same shall she should so some such
      than that the their theirs them then there these they this those through to too under until up us very was we were
      what when where which while who whom whose why will with would you your yours im ive dont doesnt didnt isnt arent`,
    es: `a al algo algún alguna algunas alguno algunos ante antes así aun aunque bajo cada como cómo con contra cuál
      cuáles cual cuales cuando cuándo cuánto cuántos cuánta cuántas de del desde donde dónde dos e el él ella ellas ellos
      en entre era eran eres es esa esas ese eso esos esta está estaba están estas este esto estos fue fueron ha había han
      has hasta hay he la las le les lo los más me mi mis mucho muchos muy nada ni no nos nosotros o os otra otras otro
      otros para pero poco por porque puede pueden puedo que qué quien quién quienes se según ser si sí sido sin sobre son
      soy su sus también tanto te tener tengo tiene tienen todo todos tras tu tus u un una unas uno unos usted y ya yo`,
    ca: `a al als altra altre altres amb aquell aquella aquells aquest aquesta aquestes aquests això allò ara així cada
      com d de del dels des després doncs dos durant el ella elles ells els em en encara entre era eren es és està estan
      estar et feia fer fins fou ha han haver hem he hi ho hom i ja jo l la les li llavors lo m mai més meu meva molt molta
      molts n nosaltres no nos ni o on oi pel pels per però perquè poc podem poden pot puc qual quals quan quant quants què
      que qui quin quina quines quins s sense ser seu seus seva seves si sí sobre són sota també te tenen tenir tinc té
      teu teva tot tota tots un una unes uns va van vaig vostè`,
    eu: `ala arte asko aurrean aurretik baina baino bait bakoitza bat batean batek baten batzuk bera beraz bere berak bere
      bertan beste beti bezala behar da dago dagoen daude dira direla diren ditu dituen dituzte du dugu duela duen dut dute
      duten dela den egin egiten egon ere eta ez ezin gabe gainera gaur gu gure guztiak guztia haien han hango hara hari
      hau hauek hemen hona honela hor hori horiek horrela hura izan izango izaten naiz nahi nahiz ni nire noiz nola non
      nondik nor nora nork oso zein zeintzuk zen zer zeren zergatik ziren zituen zituzten zu zuen zure al ahal daiteke
      dezaket dezakete dezake edo edota arabera bidez buruz inguruan artean ondoren zenbat`,
    gl: `a á ao aos aínda as ás así co coa coas como con contra cos cal cales cando da das de del dela desde despois do
      dos dunha dun e é ela elas eles el en entre era eran esa ese eses esta está están este estes eu foi foron hai ha
      isto iso ata lle lles máis mais me meu moi moito na nas nin no nos non nunha nun o os onde ou outra outro outros
      para pero pola polas polo polos por porque pode poden podo que qué quen se sen ser si só sobre son súa súas seu
      seus tamén te ten teñen teño toda todos ti tras un unha unhas uns vostede xa`,
    fr: `à a ai ainsi après as au aucun aussi autre autres aux avait avant avec avez avoir avons c car ce ceci cela celle
      celui ces cet cette ceux chaque ci comme comment d dans de depuis des donc dont du elle elles en encore entre es est
      et été étaient était être eu eux fait font ici il ils j je l la le les leur leurs lors lui m ma mais me même mes mon
      n ne ni nos notre nous on ont ou où par pas peu peut peuvent peux plus pour pourquoi puis qu quand que quel quelle
      quelles quels qui quoi s sa sans se sera ses si soit son sont sous suis sur t ta te tes toi ton tous tout toute
      toutes très tu un une va vers vos votre vous y`,
    de: `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da dabei damit
      dann das dass daß dazu dein deine dem den denn der des dessen die dies diese diesem diesen dieser dieses doch dort du
      durch ein eine einem einen einer eines er es etwas euer für gegen hab habe haben hat hatte hatten hier ich ihm ihn
      ihnen ihr ihre ihrem ihren ihrer im in ins ist jede jedem jeden jeder jedes jedoch kann kein keine können man mehr
      mein meine mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner
      seit sich sie sind so soll sollte sondern sowie über um und uns unser unter vom von vor war waren warum was wann
      weil welche welchem welchen welcher welches wenn wer werde werden wie wieder wieviel will wir wird wo wurde wurden
      zu zum zur zwar zwischen`,
    it: `a abbiamo ad agli ai al alla alle allo anche ancora avere aveva c che chi ci cioè coi col come con contro cosa
      cui d da dagli dai dal dalla dalle dallo degli dei del della delle dello dentro di dopo dove due e è ed era erano
      essere fa fino fra gli ha hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie mio molto ne negli nei nel
      nella nelle nello no noi non nostra nostro o ogni oltre per perché perciò però più poi posso può possono prima
      quale quali quando quanti quanto quella quelle quelli quello questa queste questi questo qui quindi sarà se sei
      senza si sia siamo sono sopra sotto sta stata stato stati su sua sue sugli sui sul sulla sulle suo suoi tra tu tua
      tuo tutta tutte tutti tutto un una uno vi voi`,
    pt: `a à ainda algum alguma alguns ao aos após aquela aquele aquilo as às assim até cada com como contra da das de dela
      dele deles depois desde dessa desse desta deste deve do dos e é ela elas ele eles em entre era eram essa esse esses
      esta está estão estas estava este estes eu foi for foram há isso isto já lhe lhes mais mas me mesmo meu minha muito
      muitos na não nas nem no nos nós nossa nosso num numa o onde os ou outra outras outro outros para pela pelas pelo
      pelos pode podem por porque posso pôr qual quais quando quanto quantos que quê quem são se sem ser será seu seus só
      sobre sua suas também te tem têm ter teu toda todas todo todos tu um uma umas uns vai você vocês`,
    nl: `aan al alle alleen als ander andere bij binnen daar dan dat de deze die dit doen door dus een eens elk elke en er
      geen haar had heb hebben heeft hem het hier hij hoe hun ik in is ja je kan kunnen maar me meer men met mij mijn moet
      moeten na naar niet niets nog nu of om omdat onder ons ook op over te tegen ten ter tot toch uit van veel voor waar
      waarom wanneer waren was wat we welk welke werd wel wie wij wil worden wordt zal ze zeer zich zij zijn zo zoals
      zonder zou`,
    da: `ad af alle andet andre at både da de deg dem den denne der deres det dette dig din disse dog du efter eller en end
      er et for fordi fra få får før gennem ham han hans har hende hendes her hun hvad hvem hver hvilke hvilken hvis hvor
      hvordan hvorfor hvornår i ikke ind jeg jer jo kan kun kunne man mange med meget mellem men mig min mit må når ned nej
      noget nogle nu og også om op os over på sig sin sit skal skulle som så til ud uden under var ved vi vil ville være
      vores`,
    no: `alle andre at av bare begge ble blir både da de dem den denne der deres det dette din disse du eg ein eit eller en
      enn er et etter for fordi fra få før gjennom ha hadde han hans har hennes her hun hva hvem hver hvilke hvilken hvis
      hvor hvordan hvorfor i ikke inn ja jeg kan kun kunne man mange med meg mellom men mer min mitt må mye når ned noe
      noen nå og også om opp oss over på seg selv sin sine sitt skal skulle som så til ut uten under var ved vi vil ville
      være vår`,
    sv: `alla allt andra att av bara blev bli blir både da de dem den denna deras dess det detta dig din dina ditt du där då
      efter eller en er ett finns från för får genom ha hade han hans har hennes henne hon honom hur här i icke in inte
      innan ja jag kan kunde kommer man med mellan men mer mig min mina mitt mot mycket måste ni nu någon något några när
      och också om oss på sedan sig sin sina sitt ska skall skulle som så till under upp ut utan vad var varför vara varje
      vem vi vid vilka vilken vilket vill är över`,
    fi: `ehkä ei eivät eli emme en enemmän että heidän hän hänen ja jo joka jokainen jolla jonka jos joten jotka kaikki
      kanssa koska kuin kuinka kuitenkin kun kuten me mikä miksi mikään missä mitä mitään mukaan mutta myös ne niiden niin
      niitä noin nyt näin ole oli olla olisi olivat olla on ovat se sekä sen siellä siinä sillä sitä siitä tai te tämä tämän
      tässä tätä vaan vai vain voi voidaan voivat vielä yli`,
    hu: `a abban ahhoz ahogy aki akik akkor alatt amely amelyek ami amikor arra az azok azon azt azért be csak de e egy egyes
      egyéb el ez ezek ezt és fel ha hanem hogy hogyan hol igen így ill illetve is itt jól kell kellett ki könnyen le lehet
      lesz lett majd már meg még mely melyek mert mi mikor milyen mind minden mint mit most nagyon ne nem nincs ő ők pedig s
      sem só szerint szét számára ugyanis után utána vagy vagyok valamint van vannak volt voltak át össze több is`,
    cs: `a aby ale ani ano asi až být byl byla byli bylo by co což další do ho i jak jako je jeho její jejich jen ještě jeho
      jsem jsme jsou již k kde kdo kdy když ke která které který kteří ku mezi mít může mohou na nad nebo není než o od po
      pod podle pokud pouze pro proč proto protože před přes při s se si své svůj ta tak také tato tedy ten tento to tom
      tomu tu ty u v ve vše všechny však z za ze že`,
    ro: `a acea aceasta această acest aceste acestea acestor ai al ale am are as aș asta astfel atunci au avea ca că când
      care ce cel cele cei cine cu cum dacă dar de deci decât despre din dintre doar după e ea ei el ele era este eu fi fie
      fiecare fost iar în între îl îi îşi la le lor lui mai mult nici nu o ori pe pentru poate pot prin sa să sale sau se
      și şi sunt sub te toate tot toți un una unde unei unor unui va vor`,
    sl: `a ali ampak bi bila bile bili bilo biti bo bodo bolj brez če čez da do ga glede h i ima imajo in iz ja jaz je jih
      jo k kaj kako kakor kar kateri katera katere kdaj kdo ki kje ko kot le lahko med mi mora na nad naj ne nekaj ni nje
      njegov njihov o ob od oziroma pa po pod pred pri proti s saj se sem si smo so svoj ta tako tam te tega tej tem ter ti
      to tudi v več vse vsak z za zakaj zato že`,
    tr: `ama ancak aynı bana bazı ben benim bile bir biraz birçok biri bu buna bunlar bunu bunun çok çünkü da daha de değil
      diye dolayı eğer en gibi göre hangi hem henüz hep her hiç için ile ise kadar ki kim mı mi mu mü nasıl ne neden nerede
      o olan olarak oldu olduğu olduğunu on ona onlar onu onun olur sadece sen siz sonra şey şu tarafından tüm üzere var ve
      veya ya yani yok zaman`,
    ga: `a ach ag agus ar as an na atá bhí ba beidh bíonn cad cá cén conas céard do de den don é eile faoi freisin fuair gach
      gan go gur i iad in is ina isteach le leis lena mar más mé mo muid nach ní níl nó nuair ó ón os pé roimh sa san
      seo sé sí sin siad sna sula tá thar trí tú um`,
    ru: `а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее её если
      есть ещё еще же за здесь и из или им их к как какая какие какой когда кто ли либо мне может можно мы на над надо наш
      не него нее нет ни них но ну о об однако он она они оно от очень по под при с со так также такой там те тем то того
      тоже той только том ты у уже хотя чего чей чем что чтобы эта эти это этого этой этот я`,
    ar: `في من إلى على عن أن إن كان كانت هذا هذه ذلك تلك التي الذي الذين هو هي هم ما لا لم لن قد كل بعد قبل بين مع أو
      ثم حتى إذا كما لكن غير عند منذ أي أين متى كيف لماذا هل و يكون تكون وقد ولا`,
    hy: `և եւ է են էր էին եմ ես ենք եք այս այդ այն որ որը որոնք ի իր իրենց մեջ մեկ միայն մի նա նաև նրա նրանց ու կամ բայց
      համար հետ հետո երբ որտեղ ինչ ինչպես ինչու ով չի չեն պետք կա`,
    ta: `ஒரு என்று மற்றும் இந்த இது என்ற கொண்டு என்பது பல ஆகும் அல்லது அவர் நான் உள்ள அந்த இவர் என முதல் என்ன இருந்து சில என்
      போன்ற வேண்டும் வந்து இதன் அது அவன் தான் பலரும் என்னும் மேலும் பின்னர் கொண்ட இருக்கும் தனது எப்படி எங்கே எப்போது ஏன் யார்`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);
