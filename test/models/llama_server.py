"""llama.cpp's own HTTP server with one model: python3 llama_server.py FOLDER '{"model": ..., "context": ...}'"""

import json
import sys

sys.path.insert(0, sys.argv[1])
import xllamacpp

chosen = json.loads(sys.argv[2])
params = xllamacpp.CommonParams()
params.model.path = chosen["model"]
params.n_ctx = chosen["context"] * chosen["slots"]
params.n_parallel = chosen["slots"]
params.model_alias = [chosen["name"]]
params.n_predict = chosen["longest"]
params.port = chosen["port"]
params.hostnames = ["127.0.0.1"]
params.endpoint_slots = True
params.sampling.seed = chosen["seed"]
params.sampling.ignore_eos = chosen["endless"]
# Waiting threads would keep the cores from the tests themselves.
params.cpuparams.poll = 0
params.cpuparams_batch.poll = 0
params.ui = False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
