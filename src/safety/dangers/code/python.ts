/** Meanings of calls in Python. */

import {
  getsEnvironment,
  importsModule,
  joinsReceiver,
  joinsTexts,
  namedMember,
  opensReceiver,
} from "./common.ts";
import type { Grammar } from "./grammar.ts";
import {
  always,
  argument,
  copies,
  dangerous,
  decodes,
  evaluates,
  fetches,
  globs,
  joinsPath,
  loadsFile,
  looksUp,
  meanings,
  moves,
  movesReceiver,
  notes,
  allOf,
  opens,
  permits,
  posts,
  readsFile,
  removes,
  sameArgument,
  sameReceiver,
  shell,
  startsEach,
  startsList,
  writes,
} from "./meaning.ts";
import { lexes } from "./token.ts";
import { carrying, said } from "./value.ts";

export const python: Grammar = {
  language: "python",
  lexis: lexes.python,
  joins: ["+"],
  members: ["."],
  bareCalls: false,
  environment: ["os.environ", "os.environb"],
  namespaces: [
    "os",
    "builtins",
    "__builtins__",
    "sys.modules",
    "globals()",
    "locals()",
    "vars()",
    "os.__dict__",
    "__builtins__.__dict__",
    "builtins.__dict__",
  ],
  startingModules: ["subprocess", "pty", "pexpect", "commands", "popen2"],
  transparent: [
    "__builtins__.__dict__.",
    "builtins.__dict__.",
    "__builtins__.",
    "builtins.",
    "sys.modules.",
    "globals().",
    "globals()",
    "locals()",
    "vars()",
    "six.moves.",
  ],
  meanings: meanings({
    "os.system os.popen os.popen2 os.popen3 os.popen4 commands.getoutput commands.getstatusoutput": shell(),
    "subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell": shell(),
    "pexpect.run pexpect.spawn pexpect.runu os.startfile": shell(),
    "subprocess.run subprocess.call subprocess.Popen subprocess.check_call subprocess.check_output":
      startsList,
    "subprocess.os.system": shell(),
    "pty.spawn": allOf(notes("streams"), startsList),
    "pty.fork pty.openpty os.dup2 os.openpty": notes("streams"),
    "asyncio.create_subprocess_exec": startsEach(),
    "os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe": startsEach(0, {
      namesTwice: true,
    }),
    "os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe": startsEach(1, {
      namesTwice: true,
    }),
    "os.posix_spawn os.posix_spawnp": startsEach(0, { namesTwice: true }),
    "os.fork os.forkpty": notes("forks"),
    "os.kill os.killpg signal.pidfd_send_signal": dangerous("its code stops processes"),
    "os.setuid os.setgid os.seteuid os.setreuid os.setresuid os.chroot os.mknod": dangerous(
      "its code changes its own rights",
    ),
    "ctypes.CDLL ctypes.cdll.LoadLibrary ctypes.PyDLL ctypes.WinDLL ctypes.util.find_library ctypes.pythonapi cffi.FFI":
      dangerous("its code calls into machine code"),

    "os.remove os.unlink os.rmdir os.removedirs": removes(0),
    "shutil.rmtree": removes(0, true),
    "*.unlink *.rmdir *.rmtree": removes("receiver"),
    "os.rename os.renames os.replace shutil.move": moves,
    "*.rename": movesReceiver,
    "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree os.link os.symlink": copies,
    "os.truncate os.open": writes(0, "edits"),
    "os.mkdir os.makedirs os.mkfifo": writes(0, "creates"),
    "*.write_text *.write_bytes *.touch *.symlink_to *.hardlink_to": writes("receiver"),
    "*.mkdir": writes("receiver", "creates"),
    "*.read_text *.read_bytes": readsFile("receiver"),
    "os.chmod os.lchmod": permits(0, 1),
    "*.chmod": permits("receiver", 0),
    "os.chown os.lchown shutil.chown": permits(0, undefined),
    "open io.open codecs.open gzip.open bz2.open lzma.open zipfile.ZipFile tarfile.open": opens(),
    "*.open": opensReceiver,
    "fileinput.input fileinput.FileInput": opens(0, 99),
    "os.listdir os.scandir os.walk": readsFile(0),
    "*.extractall": writes(0, "creates"),

    "urllib.request.urlopen urllib.urlopen urllib2.urlopen urllib.request.Request urllib2.Request": fetches(),
    "requests.get requests.head requests.options httpx.get httpx.head httpx.stream requests.Session.get":
      fetches(),
    "requests.post requests.put requests.patch requests.delete httpx.post httpx.put httpx.patch httpx.delete":
      posts,
    "requests.request httpx.request": fetches(1),
    "http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPConnection httplib.HTTPSConnection":
      allOf(notes("posts"), fetches()),
    "urllib.request.urlretrieve urllib.urlretrieve wget.download": allOf(fetches(), writes(1)),
    "aiohttp.ClientSession aiohttp.request websocket.create_connection websockets.connect": allOf(
      notes("posts"),
      fetches(),
    ),
    "smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP ftplib.FTP_TLS telnetlib.Telnet paramiko.SSHClient paramiko.Transport xmlrpc.client.ServerProxy imaplib.IMAP4_SSL":
      allOf(notes("posts"), dangerous("its code talks to another machine")),
    "socket.socket socket.create_connection socket.socketpair asyncio.open_connection": notes(
      "socket",
      carrying("network"),
    ),

    "eval exec code.interact code.InteractiveInterpreter.runsource types.FunctionType timeit.timeit timeit.repeat":
      evaluates(),
    compile: allOf(evaluates(), sameArgument),
    "execfile runpy.run_path": loadsFile,
    "pickle.loads marshal.loads dill.loads cloudpickle.loads yaml.unsafe_load jsonpickle.decode": evaluates(),
    "__import__ importlib.import_module importlib.__import__ import_module": importsModule,
    vars: (call) => argument(call, 0),
    "getattr operator.attrgetter operator.methodcaller": looksUp,
    "*.__getattribute__ *.__getattr__ *.__getitem__ operator.itemgetter": namedMember,
    "*.__subclasses__": dangerous("what its code calls is only known when it runs"),

    "base64.b64decode base64.b32decode base64.b16decode base64.b85decode base64.a85decode base64.urlsafe_b64decode base64.standard_b64decode base64.decodebytes base64.decodestring":
      decodes,
    "binascii.unhexlify binascii.a2b_hex binascii.a2b_base64 bytes.fromhex bytearray.fromhex codecs.decode zlib.decompress gzip.decompress bz2.decompress lzma.decompress chr bytes bytearray unichr":
      decodes,
    "*.fromhex *.translate": decodes,
    reversed: decodes,

    "os.getenv os.environ.get os.environb.get os.environ.pop os.environ.setdefault": getsEnvironment,
    "os.path.expanduser os.path.expandvars os.path.abspath os.path.realpath os.path.normpath os.fspath str os.fsencode shlex.split Path.expanduser list tuple sorted set iter":
      sameArgument,
    "pathlib.Path.home Path.home": always(said("~")),
    "os.getcwd pathlib.Path.cwd Path.cwd": always(said(".")),
    "os.path.join": joinsPath,
    "pathlib.Path pathlib.PosixPath pathlib.PurePath Path": joinsPath,
    "*.expanduser *.resolve *.absolute *.strip *.rstrip *.lstrip *.encode *.decode *.as_posix": sameReceiver,
    "*.joinpath": joinsReceiver,
    "glob.glob glob.iglob *.glob *.rglob": globs,
    "*.join": joinsTexts,
    "input raw_input sys.stdin.read sys.stdin.readline sys.stdin.readlines sys.stdin.buffer.read": always(
      carrying("input"),
    ),
  }),
};
