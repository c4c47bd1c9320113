#!/usr/bin/python3
"""Every function of libsmclient while allocations and system calls fail: api_check.c, with the objects that it loads and a
server that it asks.

    api_test.py FOLDER [ROUND]     FOLDER: where smd, smc and api_check are; with ROUND this one alone"""
import os, subprocess, sys, tempfile, time

BIN, ROUND = os.path.abspath(sys.argv[1]), sys.argv[2:]
HERE = os.path.dirname(os.path.abspath(__file__))
DOCS = f"{HERE}/../../docs/examples"
PATIENCE_S = 120


def run(command, folder, **more):
    done = subprocess.run(command, shell=isinstance(command, str), cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more)
    if done.returncode != 0:
        sys.exit(f"{command}\n{done.stdout.decode(errors='replace')}")


def text(path):
    with open(path) as f:
        return f.read()


def make_keys(folder):
    run("openssl genpkey -algorithm ed25519 -out sign.key && openssl pkey -in sign.key -pubout -out sign.pem", folder)
    run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=ca -keyout ca.key -out ca.pem",
        folder)
    for name, use in ("server", "serverAuth"), ("client", "clientAuth"):
        run(f"openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN={name} -keyout {name}.key -out "
            f"{name}.csr && printf 'extendedKeyUsage={use}\\nsubjectAltName=DNS:localhost,IP:127.0.0.1\\n' >{name}.ext && "
            f"openssl x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 9 -extfile {name}.ext -out "
            f"{name}.pem", folder)


def make_objects(folder, url):
    def compile(name, ir, *flags):
        run([f"{BIN}/smc", "compile", "-", "-o", f"{name}.o", "--server", url, *flags], folder, input=ir.encode())

    machine = os.uname().machine
    models = (["-O2 -fno-pic", "-O2 -fPIC -g", "-O2 -mcmodel=large -fno-pic"])
    for i, flags in enumerate(models):
        for name in "code", "other":
            run(f"gcc {flags} -fno-stack-protector -c -o {name}-{i}.o {HERE}/objects/{name}.c", folder)
    run(f"gcc -O2 -fPIC -c -o early.o {HERE}/objects/early.c", folder)
    for version in 1, 2:
        run(f"gcc -O2 -fPIC -DVERSION={version} -c -o late{version}.o {HERE}/objects/late.c", folder)
    for name, model in ("general", ""), ("initial", "(initialexec)"):
        for source, suffix in ("thread_local", ""), ("thread_local_user", "-user"):
            ir = text(f"{HERE}/objects/{source}.ll").replace("HOSTMODEL", model).replace("MODEL", model)
            run(["llc-19", f"-mtriple={machine}-linux-gnu", "-O2", "-relocation-model=pic", "-filetype=obj", "-o",
                 f"tls-{name}{suffix}.o"], folder, input=ir.encode())
    deopt = text(f"{HERE}/objects/deopt.ll")
    compile("deopt", deopt.replace("HOW", "alwaysinline"), "--safepoints", "none", "-O2")
    compile("deopt-plain", deopt.replace("HOW", "noinline"), "--safepoints", "none", "-O1", "--stackmap-format", "compact")
    compile("types", text(f"{DOCS}/types.ll"), "--safepoints", "none")
    compile("lines", text(f"{HERE}/../corpus/lines.ll"), "--safepoints", "none", "-O2")
    compile("map", text(f"{DOCS}/types.ll"), "--safepoints", "none", "--stackmap-format", "compact")
    run("printf 'void read_slot(void *p){(void)p;} long weigh(void *p){return p != 0;}' | sed 's/read_slot/read/' | "
        "gcc -fno-builtin -shared -fPIC -x c -o libmap.so - -x none map.o -Wl,-Bsymbolic", folder)


def start(folder, name, *flags):
    """A smd, when it serves; the file NAME has its port then."""
    with open(f"{folder}/{name}-log", "w") as log:
        smd = subprocess.Popen([f"{BIN}/smd", "--port-file", f"{folder}/{name}", "--sign-key", f"{folder}/sign.key",
                                "--workers", "2", *flags], stdout=log, stderr=log)
    until = time.monotonic() + PATIENCE_S
    while not os.path.exists(f"{folder}/{name}"):
        if smd.poll() is not None or time.monotonic() > until:
            sys.exit(text(f"{folder}/{name}-log"))
        time.sleep(0.01)
    return smd


def main(folder):
    url, running = f"unix:{folder}/socket", []
    make_keys(folder)
    try:
        running.append(start(folder, "near", "--listen", url))
        running.append(start(folder, "tls", "--port", "0", "--tls-certificate", f"{folder}/server.pem", "--tls-key",
                             f"{folder}/server.key", "--tls-client-ca", f"{folder}/ca.pem"))
        with open(f"{folder}/tls-url", "w") as f:
            f.write(f"https://127.0.0.1:{text(f'{folder}/tls').strip()}\n")
        make_objects(folder, url)
        return subprocess.run([f"{BIN}/api_check", folder, url, *ROUND], env={**os.environ, "JITDUMPDIR": folder}).returncode
    finally:
        for smd in running:
            smd.terminate()
            smd.wait()


with tempfile.TemporaryDirectory(prefix="smd-api-") as path:
    sys.exit(main(path) != 0)
