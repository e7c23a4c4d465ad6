/** Programs that may look at what no sandbox shows without a question: each with all the options it may have there. */

export type OutsideRow = {
  programs: string;
  /**
   * Their names without dashes, with `=` behind those that take a value; `#` stands for a number (`-20`). One that is not
   * listed may write a file, run a program or lead to another machine.
   */
  options?: string;
  /** What it may be told to do by its first operands, with commas between them; anything, if absent. */
  verbs?: string;
  /** What every other operand must be. */
  operands?: RegExp;
  /** Its operands, or those behind the first, are files that it reads. */
  files?: "all" | "behind the first";
  /** One dash starts a long option. */
  oneDash?: true;
  /** The first operand ends the options. */
  stops?: true;
  /** Whatever its words are, it only looks. */
  any?: true;
};

const shown =
  "json json= output= format= filter= limit= page= per-page= no-pager no-color color= q quiet verbose";

export const outsideRows: readonly OutsideRow[] = [
  // What stands beside: filters of what was printed, and the shell's own words.
  {
    programs: "[ [[ : test echo printf true false sleep seq exit break continue wait pstree pidof",
    any: true,
  },
  { programs: "cd pwd", options: "L P" },
  { programs: "set", options: "e u x o= E" },
  { programs: "command", options: "v V" },
  { programs: "which type" },
  { programs: "date", options: "u d= I R utc date= iso-8601 iso-8601= rfc-3339=" },
  { programs: "cat nl tac rev", files: "all", options: "n A b s v e t T E" },
  { programs: "head tail", files: "all", options: "# n= c= q v f F lines= bytes= quiet follow retry" },
  {
    programs: "grep egrep fgrep",
    files: "behind the first",
    options:
      "# i v E F G P w x c n o q s h H l L a m= A= B= C= e= color color= line-buffered count invert-match ignore-case max-count= only-matching quiet extended-regexp fixed-strings after-context= before-context= context=",
  },
  {
    programs: "rg",
    files: "behind the first",
    options: "i v F w x c n N o q e= m= A= B= C= S no-filename no-line-number count color= max-count=",
  },
  {
    programs: "sort",
    files: "all",
    options: "k= t= n r h u V f b g M s d reverse numeric-sort human-numeric-sort unique key=",
  },
  { programs: "uniq", files: "all", options: "c d u i f= s= w= count repeated unique" },
  { programs: "wc", files: "all", options: "l w c m L lines words bytes chars" },
  { programs: "cut", files: "all", options: "d= f= c= b= s complement delimiter= fields= output-delimiter=" },
  { programs: "tr", options: "d s c C t delete squeeze-repeats complement" },
  { programs: "column", files: "all", options: "t s= o= N= R= c= table separator=" },
  { programs: "fold", files: "all", options: "w= s b width=" },
  { programs: "paste", files: "all", options: "d= s" },
  { programs: "awk gawk mawk", files: "behind the first", options: "F= v=" },
  { programs: "sed", files: "behind the first", options: "n E r e= u s quiet regexp-extended expression=" },
  {
    programs: "jq gojq",
    files: "behind the first",
    options:
      "r c e s S n M C j a R raw-output compact-output slurp exit-status sort-keys raw-input null-input tab join-output",
  },
  { programs: "yq", files: "behind the first", options: "r e o= p= P M C" },
  { programs: "base64", files: "all", options: "d D w= decode wrap=" },
  { programs: "xargs", stops: true, options: "0 r t n= L= I= P= max-args= no-run-if-empty null" },
  { programs: "watch", stops: true, options: "n= d t c g e interval= no-title differences color" },
  { programs: "timeout", stops: true, options: "s= k= signal= kill-after= foreground preserve-status" },
  { programs: "time nohup", stops: true, options: "p" },
  { programs: "python python3", options: "c= m=", operands: /^$/ },
  {
    programs: "openssl",
    oneDash: true,
    verbs: "x509, s_client, version",
    options:
      "noout subject issuer dates startdate enddate text serial fingerprint ext= connect= servername= showcerts brief alpn= quiet",
  },
  {
    programs: "ls",
    options: "# l a A h t r S d F R 1 i s p G human-readable all almost-all color color= time-sort= sort=",
  },
  {
    programs: "df du free uptime uname nproc who w id whoami groups hostname",
    options: "h a s c d= m k T i r n p v o",
  },

  // Processes and what they have open.
  {
    programs: "ps",
    options:
      "A a d e F f j L l M N T H w x r y c h o= O= p= q= u= U= C= g= G= t= s= k= pid= ppid= user= sort= format= no-headers forest width= cols= headers deselect sid= tty= group=",
    operands:
      /^(?:[aAcfFgGhHjlLmnrSTuUvwxX]*|[aAcfFgGhHjlLmnrSTuUvwxX]*o|[\d, ]+|[a-z_%]+(?:[,=][a-z_%,=]*))$/u,
  },
  {
    programs: "pgrep",
    options:
      "a c d= f g= G= i l n o P= s= t= u= U= v w x A r= full list-name list-full count newest oldest exact ignore-case parent= uid= euid=",
  },
  { programs: "kill pkill killall", options: "0 l L f x u= s=" },
  { programs: "top htop", options: "# b n= d= p= u= U= H c i o= w= l= s= stats= 1 S e=" },
  { programs: "pmap", options: "x X d q p" },
  { programs: "lsof", options: "n P l t i= p= u= c= a d= w U F= s= T= N R b O X V +D= +d= r=" },
  {
    programs: "ss",
    options:
      "t u l n p a e o m i s 4 6 x w H O tcp udp listening numeric processes all extended summary no-header",
  },
  { programs: "netstat", options: "t u l n p a r s i c e o W 4 6 v f= x w I= L g" },
  { programs: "fuser", options: "v n= a u 4 6 verbose" },

  // Services of this machine.
  {
    programs: "systemctl",
    verbs:
      "status, is-active, is-enabled, is-failed, show, cat, list-units, list-unit-files, list-timers, list-sockets, list-dependencies, list-jobs, list-machines, get-default, is-system-running, help",
    options:
      "user system no-pager no-legend plain full l all a q quiet n= lines= o= output= t= type= state= p= property= value failed reverse recursive",
  },
  {
    programs: "journalctl",
    options:
      "u= n= f b k p= S= U= o= r x e g= q a t= b= unit= user-unit= lines= follow boot boot= dmesg priority= since= until= output= reverse catalog pager-end grep= no-pager quiet all identifier= user system list-boots disk-usage utc no-hostname case-sensitive output-fields= case-sensitive=",
  },
  {
    programs: "loginctl",
    verbs:
      "list-sessions, session-status, show-session, list-users, user-status, show-user, list-seats, seat-status, show-seat",
    options: "no-pager no-legend p= property= value a all l full n= lines= o= output=",
  },
  {
    programs: "busctl",
    verbs: "list, status, tree, introspect",
    options: "user system no-pager no-legend unique acquired activatable json= j list l full",
  },
  {
    programs: "docker podman nerdctl",
    verbs:
      "ps, images, logs, inspect, info, version, stats, top, port, diff, history, events, exec, container ls, container list, container ps, container inspect, container logs, container top, container port, container diff, container stats, image ls, image list, image inspect, image history, network ls, network list, network inspect, volume ls, volume list, volume inspect, context ls, context show, context inspect, system df, system info, buildx ls, buildx inspect, buildx version, buildx du, plugin ls, pod ps, pod ls, pod inspect, compose ps, compose ls, compose logs, compose images, compose top, compose port, compose version, compose config, compose events, compose stats, compose exec, pull, node ls, service ls, service ps, service logs, stack ls, stack ps, secret ls, config ls",
    options:
      "a all q quiet f f= filter= format= no-trunc n= last= l latest s size tail= since= until= t timestamps details no-color no-log-prefix services images profiles volumes hash= no-stream type= index= protocol= p= project-name= profile= project-directory= v version status= orphans digests tree no-interpolate i it ti T w= workdir= u= user= interactive tty file= context= help",
  },
  {
    programs: "docker-compose podman-compose",
    verbs: "ps, ls, logs, images, top, port, version, config, events, exec",
    options:
      "a all q quiet f f= file= filter= format= no-trunc tail= since= until= t timestamps no-color no-log-prefix services profiles volumes index= protocol= p= project-name= profile= status= T w= u= user= v version",
  },
  {
    programs: "curl",
    options:
      "# s S f k i I v N g 4 6 o= w= H= A= e= u= X= m= silent show-error fail fail-with-body insecure include head verbose no-buffer globoff get output= write-out= header= user-agent= user= request= max-time= connect-timeout= retry= retry-delay= retry-max-time= retry-connrefused retry-all-errors compressed http1.1 http2 no-progress-meter progress-bar noproxy=",
    operands: /^(?:https?:\/\/)?[^:/?#@]*(?::(?!(?:237[56]|92(?:22|29))\b)\d+)?(?:[/?#]|$)/u,
  },
  {
    programs: "wget",
    options: "q O= S T= t= nv spider server-response output-document= timeout= tries= quiet no-verbose",
    operands: /^(?:https?:\/\/)?[^:/?#@]*(?::(?!(?:237[56]|92(?:22|29))\b)\d+)?(?:[/?#]|$)/u,
  },
  {
    programs: "http https xh xhs",
    options:
      "b h v p= body headers meta verbose print= pretty= style= check-status timeout= ignore-stdin j json verify=",
    operands:
      /^(?:GET|HEAD|OPTIONS|(?![A-Z]+$)(?:https?:\/\/)?[\w.-]*:?(?:\d+)?(?:\/\S*)?|[\w-]+==.*|[\w-]+:.*)$/u,
  },
  { programs: "nc ncat netcat", options: "z v w= n 4 6 u zv vz" },
  { programs: "ping", options: "c= W= w= i= n q t= 4 6 s=" },
  { programs: "getent", verbs: "hosts, ahosts, passwd, group, services, protocols, networks" },
  { programs: "ab", options: "n= c= t= k q s= l r" },
  { programs: "hey wrk oha bombardier", options: "n= c= t= d= z= q= k l latency timeout= no-tui" },
  {
    programs: "grpcurl",
    oneDash: true,
    options: "plaintext insecure max-time= connect-timeout= v",
    operands: /^(?:[\w.-]*:\d+|list|describe|[\w.]+)$/u,
  },
  { programs: "pg_isready", options: "h= p= U= d= t= q host= port= username= dbname= timeout=" },
  {
    programs: "psql",
    options:
      "h= p= U= d= c= t A q l X w x tA Atc= P= F= host= port= username= dbname= command= list no-psqlrc tuples-only no-align csv quiet expanded no-password tAc= Atqc= tc= At",
    operands: /^(?!\\)(?!.*=)/u,
  },
  {
    programs: "mysql mariadb",
    options:
      "h= P= u= e= D= N B s t E host= port= user= execute= database= batch silent skip-column-names table protocol=",
  },
  { programs: "redis-cli valkey-cli", options: "h= p= n= raw no-raw json csv i= r=" },
  { programs: "mongosh", options: "host= port= eval= quiet norc json json=" },
  { programs: "node deno bun", options: "e= p= eval= print=", operands: /^$/u },

  // What a project's forge, cluster or cloud tells of it.
  {
    programs: "gh",
    options: `${shown} L= R= s= S= l= a= A= B= H= b= w= j= q= X= f= c F= jq= state= label= author= assignee= search= base= head= repo= comments log log-failed job= exit-status watch interval= name-only patch branch= workflow= status= user= event= created= method= paginate slurp cache= hostname-only repo-only owner= milestone= mention= app= draft sort= order= visibility= source fork archived topic= language= no-browser n commit= ref= include-prs key= required fail-fast i include silent o= raw-field= env= org= yaml y`,
    operands: /^(?!(?!https:\/\/github\.com\/).*:\/\/)/u,
  },
  {
    programs: "nomad consul vault bao",
    oneDash: true,
    verbs:
      "version, status, info, members, job status, node status, alloc status, alloc logs, server members, catalog services, catalog nodes, operator raft list-peers, secrets list, auth list, policy list",
    options: "namespace= region= short json verbose no-color format= tail f n= stderr job",
  },
  {
    programs: "op pass gopass bw",
    verbs: "ls, list, item list, vault list, kv list, status, version, whoami, account list",
    options: "vault= account= format= tags= categories=",
  },
  {
    programs: "glab",
    options: `${shown} R= repo= P= p= F= A a= l= m= s= label= author= assignee= milestone= state= all closed merged opened draft reviewer= source-branch= target-branch= search= branch= b= c comments web-off status= raw`,
    operands: /^(?!variable$|token$)(?!(?!https:\/\/gitlab\.com\/).*:\/\/)/u,
  },
  {
    programs: "kubectl oc",
    verbs:
      "get, describe, logs, top, version, explain, events, api-resources, api-versions, cluster-info, config current-context, config get-contexts, config get-clusters, config get-users, config view, rollout status, rollout history, auth can-i, auth whoami, diff, wait, apply, create, delete, run, whoami, status, project, projects",
    options: `${shown} n= namespace= A all-namespaces o= l= selector= w watch watch-only f f= k= filename= kustomize= R recursive show-labels show-kind field-selector= sort-by= tail= since= since-time= c= container= p previous prefix timestamps no-headers all-containers limit-bytes= context= L= label-columns= verbs= namespaced namespaced= api-group= cached client dry-run= request-timeout= timeout= for= follow ignore-not-found chunk-size= revision= containers sum image= replicas= port= env= list subresource= max-log-requests= show-managed-fields minify types= as-is`,
    operands: /^(?!.*:\/\/)(?!dump$)(?!(?:.*,)?sec(?:rets?)?(?:[.,/]|$))/iu,
  },
  {
    programs: "helm",
    verbs:
      "list, ls, status, history, get values, get manifest, get notes, get hooks, get metadata, search repo, search hub, show values, show chart, show readme, show all, dependency list, dep list, repo list, version, env, plugin list, install, upgrade, uninstall, rollback, template, lint",
    options: `${shown} n= namespace= A all-namespaces a all o= l= selector= d date r reverse m= max= revision= dry-run dry-run= debug f= values= set= set-string= version= versions devel short deployed failed pending superseded uninstalled kube-context= max-col-width= i install reuse-values skip-crds is-upgrade include-crds generate-name create-namespace`,
    operands: /^(?!.*:\/\/)/u,
  },
  {
    programs: "aws",
    options: `${shown} region= profile= query= recursive summarize human-readable page-size= max-items= no-paginate no-cli-pager no-sign-request log-group-name= log-stream-name= filter-pattern= start-time= end-time= since= follow filters= instance-ids= stack-name= template-body= cluster= services= tasks= function-name= bucket= prefix= key= table-name= names= name= ids= max-results= starting-token= metric-name= namespace= statistics= period= dimensions= queue-url= db-instance-identifier= repository-name= image-ids= owners= vpc-ids= family= job-name= role-name= user-name= policy-arn= hosted-zone-id= state-machine-arn= execution-arn= status= log-type= short`,
    operands:
      /^(?!(?:batch-)?get-secret|get-(?:login|authorization|session|random|federation|password|function)|generate-db-auth|assume|export-credentials|.*(?:secret_access|session_token|access_key))/iu,
  },
  {
    programs: "gcloud",
    options: `${shown} project= region= zone= account= configuration= limit= sort-by= uri page-size= flatten= freshness= order= platform= location= service= version= cluster= instance= show-log-links`,
    operands: /^(?!secrets$|print-|.*token|export$|import$|ssh$|call$|config-helper$)/u,
  },
  {
    programs: "az",
    options: `${shown} o= g= n= s= resource-group= name= query= subscription= all only-show-errors l= location= top= out=`,
    operands: /^(?!.*(?:secret|token|key|credential|connection-string))/u,
  },
  {
    programs: "terraform tofu",
    oneDash: true,
    verbs: "version, state list, workspace list, workspace show, output",
    options: "no-color state= id=",
    operands: /^(?!.*(?:password|secret|token|key))/iu,
  },
  {
    programs:
      "argocd eas eb etcdctl flux fly flyctl heroku istioctl kamal pulumi supabase vercel sst wrangler influx netlify railway render doctl firebase tldr cf",
    verbs:
      "version, status, whoami, list, ls, info, apps, apps list, apps:list, logs, ps, releases, check, get all, get sources, get kustomizations, account get, account show, app list, app get, app diff, app history, app logs, app version, members, ping, analyze, proxy-status, stack ls, stack list, stack history, about, inspect, db diff, db lint, functions list, projects list, migration list, domains ls, env ls, d1 list, kv namespace list, r2 bucket list, deployments list, services list, sites:list, hosting:channel:list, projects:list, services, compute droplet list, endpoint health, endpoint status, member list, releases list, details, machine list, machine status, volumes list, regions list, tar",
    options: `${shown} a= app= tail n= num= project= p= scope= since= region= namespace= n= follow t all`,
    operands: /^(?!.*:\/\/)/u,
  },
];
