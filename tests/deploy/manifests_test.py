#!/usr/bin/python3
"""The compose file and the Kubernetes manifests: they parse, their parts fit each other, their settings exist.

    manifests_test.py SMD       SMD: the daemon's program

Every setting must be one of smd's, every probe one of its routes, every selector must find its pods, every volume must
be there; and nothing runs as root, with a capability, or with a root file system that can be written."""
import glob, json, subprocess, sys
import yaml

settings = json.loads(subprocess.run([sys.argv[1], "--print-config"], stdout=subprocess.PIPE, check=True).stdout)

# What of the two APIs the files use: a key that is none of these is a slip of the pen.
KNOWN = {
    "PersistentVolumeClaim": {"accessModes", "resources"},
    "Deployment": {"replicas", "strategy", "selector", "template"},
    "Service": {"selector", "ports"},
    "PodDisruptionBudget": {"minAvailable", "selector"},
    "pod": {"terminationGracePeriodSeconds", "automountServiceAccountToken", "topologySpreadConstraints",
            "securityContext", "containers", "volumes"},
    "container": {"name", "image", "ports", "env", "resources", "securityContext", "startupProbe", "readinessProbe",
                  "livenessProbe", "volumeMounts"},
    "compose": {"build", "image", "read_only", "cap_drop", "security_opt", "ports", "volumes", "environment",
                "mem_limit", "pids_limit", "restart", "stop_grace_period"},
}


def check(condition, *what):
    if not condition:
        sys.exit("manifests: " + " ".join(map(str, what)))


def known(kind, members):
    check(set(members) <= KNOWN[kind], kind, "has", set(members) - KNOWN[kind])


def setting(name, value):
    check(name.startswith("SMD_") and name[4:].lower() in settings, name, "is no setting")
    check(isinstance(value, str), name, "is no string")
    subprocess.run([sys.argv[1], "--check-config"], env={name: value}, stdout=subprocess.DEVNULL, check=True)


def container(c, volumes):
    known("container", c)
    for e in c["env"]:
        setting(e["name"], e["value"])
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        get = c[probe]["httpGet"]
        check(get["path"] in ("/readyz", "/livez") and get["port"] in [p["name"] for p in c["ports"]], probe)
    s = c["securityContext"]
    check(not s["allowPrivilegeEscalation"] and s["readOnlyRootFilesystem"] and s["capabilities"]["drop"] == ["ALL"],
          "securityContext")
    check(c["ports"][0]["containerPort"] == settings["port"], "port")
    check({m["name"] for m in c["volumeMounts"]} == volumes, "volumes")
    env = {e["name"]: int(e["value"]) for e in c["env"] if e["value"].isdigit()}
    limit = int(c["resources"]["limits"]["memory"].removesuffix("Gi")) * 1024
    need = 256 + settings["cache_memory_mib"] + env["SMD_WORKERS"] * (70 + env["SMD_WORKER_MEMORY_MIB"])
    check(need <= limit, "the workers may take", need, "MiB of", limit)


def pod(spec):
    known("pod", spec)
    check(spec["securityContext"]["runAsNonRoot"] and spec["securityContext"]["runAsUser"] == 10001, "runs as root")
    check(spec["terminationGracePeriodSeconds"] > settings["drain_timeout_s"], "killed before it has drained")
    for c in spec["containers"]:
        container(c, {v["name"] for v in spec["volumes"]})


for path in sorted(glob.glob("deploy/kubernetes/*.yaml")):
    objects = list(yaml.safe_load_all(open(path)))
    labels = [o["spec"]["template"]["metadata"]["labels"] for o in objects if o["kind"] == "Deployment"]
    claims = {o["metadata"]["name"] for o in objects if o["kind"] == "PersistentVolumeClaim"}
    check(labels, path, "has no Deployment")
    for o in objects:
        check(o["apiVersion"] and o["metadata"]["name"], path)
        known(o["kind"], o["spec"])
        selector = o["spec"].get("selector", {})
        selector = selector.get("matchLabels", selector)
        check(not selector or any(selector.items() <= l.items() for l in labels), path, o["kind"], "selects nothing")
        if o["kind"] == "Deployment":
            pod(o["spec"]["template"]["spec"])
            for v in o["spec"]["template"]["spec"]["volumes"]:
                check("emptyDir" in v or v["persistentVolumeClaim"]["claimName"] in claims, path, v)
        if o["kind"] == "PodDisruptionBudget":
            replicas = [d["spec"]["replicas"] for d in objects if d["kind"] == "Deployment"][0]
            check(0 < o["spec"]["minAvailable"] < replicas, path, "no pod may ever go")

compose = yaml.safe_load(open("deploy/compose.yaml"))
for name, service in compose["services"].items():
    known("compose", service)
    check(service["read_only"] and service["cap_drop"] == ["ALL"], "compose:", name, "is not confined")
    for key, value in service["environment"].items():
        setting(key, value)
    for v in service["volumes"]:
        check(v.split(":")[0] in compose["volumes"], "compose: volume", v)
print("deploy/kubernetes and deploy/compose.yaml are in order")
