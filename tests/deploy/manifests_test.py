#!/usr/bin/python3
"""The compose files and the Kubernetes manifests: they keep to the published schemas, their parts fit each other, their
settings exist.

    manifests_test.py SMD       SMD: the daemon's program

Every setting must be one of smd's, every probe one of its routes, every selector must find its pods, every volume must
be there; and nothing runs as root, with a capability, or with a root file system that can be written."""
import json, os, re, subprocess, sys, tempfile
import kubernetes.client, yaml

settings = json.loads(subprocess.run([sys.argv[1], "--print-config"], stdout=subprocess.PIPE, check=True).stdout)


def check(condition, *what):
    if not condition:
        sys.exit("manifests: " + " ".join(map(str, what)))


def conforms(value, kind, place):
    """VALUE is what Kubernetes' API calls KIND: the models of its client are made from the published OpenAPI file."""
    scalars = {"str": str, "int": int, "bool": bool, "float": (int, float), "object": object}
    if kind.startswith("list["):
        check(isinstance(value, list), place, "is no list")
        for i, v in enumerate(value):
            conforms(v, kind[5:-1], f"{place}[{i}]")
    elif kind.startswith("dict("):
        check(isinstance(value, dict), place, "is no object")
        for k, v in value.items():
            conforms(v, kind[5:-1].split(", ")[1], f"{place}.{k}")
    elif kind in scalars:
        is_right = isinstance(value, scalars[kind]) and (kind == "bool" or not isinstance(value, bool))
        check(is_right, place, "is no", kind)
    else:
        model = getattr(kubernetes.client, kind)
        attributes = {name: attribute for attribute, name in model.attribute_map.items()}
        check(isinstance(value, dict), place, "is no", kind)
        for k, v in value.items():
            check(k in attributes, f"{place}.{k}", "is no member of", kind)
            conforms(v, model.openapi_types[attributes[k]], f"{place}.{k}")
        try:
            model(**{attributes[k]: v for k, v in value.items()})
        except ValueError as e:  # a member is missing, or none of the values that it may have
            check(False, place, e)


def is_of_the_api(o, place):
    group, _, version = o["apiVersion"].rpartition("/")
    if o["apiVersion"] == "autoscaling/v2":
        version = "v2beta2"  # its name before Kubernetes 1.23, which the client is older than; the members are the same
    api = getattr(kubernetes.client, (group.split(".")[0] or "core").title() + version.capitalize() + "Api", None)
    words = re.sub("(?<=.)([A-Z])", r"_\1", o["kind"]).lower()
    check(hasattr(api, "create_namespaced_" + words), place, o["apiVersion"], "has no", o["kind"])
    conforms(o, version.capitalize() + o["kind"], place + " " + o["kind"])


IMAGE = {"SMD_LISTEN": "0.0.0.0"}  # what the image sets and a start depends on


def setting(name, value):
    check(name.startswith("SMD_") and name[4:].lower() in settings, name, "is no setting")
    check(isinstance(value, str), name, "is no string")


def all_settings(env):
    for name, value in env.items():
        setting(name, value)
    subprocess.run([sys.argv[1], "--check-config"], env=env | IMAGE, stdout=subprocess.DEVNULL, check=True)


def container(c):
    with tempfile.NamedTemporaryFile("w") as key:
        key.write("0" * 64)
        key.flush()
        secret = {"SMD_MAC_KEY": key.name} if "SMD_MAC_KEY" in [e["name"] for e in c["env"]] else {}
        all_settings({e["name"]: e["value"] for e in c["env"]} | secret)
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        get = c[probe]["httpGet"]
        check(get["path"] in ("/readyz", "/livez") and get["port"] in [p["name"] for p in c["ports"]], probe)
        check(get["port"] == "admin", probe, "waits behind clients")
    admin = [e["value"] for e in c["env"] if e["name"] == "SMD_ADMIN_LISTEN"]
    check(admin == ["0.0.0.0:%d" % p["containerPort"] for p in c["ports"] if p["name"] == "admin"], "admin_listen", admin)
    check(c["ports"][0]["containerPort"] == settings["port"], "port")
    env = {e["name"]: int(e["value"]) for e in c["env"] if e["value"].isdigit()}
    limit = int(c["resources"]["limits"]["memory"].removesuffix("Gi")) * 1024
    need = 256 + settings["cache_memory_mib"] + env["SMD_WORKERS"] * (70 + env["SMD_WORKER_MEMORY_MIB"])
    check(need <= limit, "the workers may take", need, "MiB of", limit)


def pod(spec):
    """Whatever runs: confined, and its volumes are those that it mounts."""
    check(spec["securityContext"]["runAsNonRoot"] and spec["securityContext"]["runAsUser"] > 0, "runs as root")
    check(spec["automountServiceAccountToken"] is False, "can ask Kubernetes")
    check(spec["enableServiceLinks"] is False, "a Service named smd makes variables that are no settings")
    for c in spec["containers"]:
        s = c["securityContext"]
        check(not s["allowPrivilegeEscalation"] and s["readOnlyRootFilesystem"] and s["capabilities"]["drop"] == ["ALL"],
              "securityContext")
        check({m["name"] for m in c["volumeMounts"]} == {v["name"] for v in spec["volumes"]}, "volumes")


def smd_pod(spec):
    check(spec["securityContext"]["runAsUser"] == 10001, "runs as another user than the image's")
    check(spec["terminationGracePeriodSeconds"] > settings["drain_timeout_s"], "killed before it has drained")
    container(spec["containers"][0])


def redis_pod(name, spec):
    """One evicts, the other keeps: what a server of smd's would say at its start if they did not."""
    args = spec["containers"][0]["args"]
    policy = args[args.index("--maxmemory-policy") + 1]
    check(policy == {"redis": "allkeys-lru", "jobs": "noeviction"}[name], name, "has policy", policy)
    check(args[args.index("--appendonly") + 1] == {"redis": "no", "jobs": "yes"}[name], name, "appendonly")


def network_policy(o):
    """Clients reach http alone, and only monitoring admin; the ports are those of the pods. Of a shared tier: names and
    Redis alone are reached, each at somebody named; and Redis by smd alone."""
    name, spec = o["metadata"]["name"], o["spec"]
    if name == "smd-shared":
        reached = {(p["protocol"], p["port"]) for rule in spec["egress"] for p in rule["ports"]}
        check(spec["policyTypes"] == ["Egress"], "network policy:", name)
        check(reached == {("UDP", 53), ("TCP", 53), ("TCP", 6379)}, "network policy: smd connects to", reached)
        check(all(rule["to"] and all(rule["to"]) for rule in spec["egress"]), "network policy: smd connects to anybody")
        return
    check(spec["policyTypes"] == ["Ingress", "Egress"] and not spec.get("egress"), "network policy:", name, "connects to somebody")
    allowed = {p["port"]: rule["from"] for rule in spec["ingress"] for p in rule["ports"]}
    if name == "redis":
        check(allowed == {"redis": [{"podSelector": {"matchLabels": {"app": "smd"}}}]}, "network policy: others reach Redis")
        return
    check(set(allowed) == {"http", "admin"}, "network policy: ports", allowed)
    check(all("namespaceSelector" in f for f in allowed["admin"]), "network policy: clients reach the operators' routes")


def pod_monitor(o):
    """The Prometheus Operator's own type: its job's name is the one that the alerts ask for."""
    job = o["metadata"]["labels"][o["spec"]["jobLabel"]]
    alerts = open("deploy/prometheus/alerts.yaml").read()
    check(set(re.findall(r'job="(\w+)"', alerts)) == {job}, "the alerts are about another job than", job)
    check([e["port"] for e in o["spec"]["podMetricsEndpoints"]] == ["admin"], "the pod monitor asks another port")


def overlay(name):
    """What kubectl makes of it: each object is of the API, and what one names of another is there."""
    rendered = subprocess.run(["kubectl", "kustomize", "deploy/kubernetes/" + name], stdout=subprocess.PIPE, check=True).stdout
    objects = list(yaml.safe_load_all(rendered))
    deployments = {o["metadata"]["name"]: o["spec"]["template"] for o in objects if o["kind"] == "Deployment"}
    labels = [t["metadata"]["labels"] for t in deployments.values()]
    claims = {o["metadata"]["name"] for o in objects if o["kind"] == "PersistentVolumeClaim"}
    for o in objects:
        is_of_the_api(o, name)
        selector = o["spec"].get("selector") or o["spec"].get("podSelector") or {}
        selector = selector.get("matchLabels", selector)
        check(not selector or any(selector.items() <= l.items() for l in labels), name, o["kind"], "selects nothing")
        if o["kind"] == "NetworkPolicy":
            network_policy(o)
        if o["kind"] == "PodDisruptionBudget":
            check(0 < o["spec"]["minAvailable"] < 3, name, "no pod may ever go")
        if o["kind"] == "HorizontalPodAutoscaler":
            check(o["spec"]["scaleTargetRef"]["name"] in deployments, name, "scales nothing")
            metric = o["spec"]["metrics"][0]["pods"]["metric"]["name"]
            check('"%s"' % metric in open("server/ops/metrics.h").read(), name, "scales by a metric that smd has not:", metric)
    for deployment, template in deployments.items():
        pod(template["spec"])
        smd_pod(template["spec"]) if deployment == "smd" else redis_pod(deployment, template["spec"])
        for v in template["spec"]["volumes"]:
            check("emptyDir" in v or "secret" in v or v["persistentVolumeClaim"]["claimName"] in claims, name, v)
    env = {e["name"]: e["value"] for e in deployments["smd"]["spec"]["containers"][0]["env"]}
    services = {o["metadata"]["name"] for o in objects if o["kind"] == "Service"}
    for setting_ in ("SMD_SHARED", "SMD_JOB_QUEUE"):
        host = re.sub(r"^redis://(.*):6379$", r"\1", env.get(setting_, "redis://smd:6379"))
        check(host in services, name, setting_, "names no Service")
    return set(deployments), labels


expected = {"single": {"smd"}, "fleet": {"smd"}, "shared": {"smd", "redis", "jobs"}}
for name, deployments in expected.items():
    found, pods = overlay(name)
    check(found == deployments, name, "has", found)
    monitor = yaml.safe_load(open("deploy/kubernetes/podmonitor.yaml"))
    pod_monitor(monitor)
    check(any(monitor["spec"]["selector"]["matchLabels"].items() <= l.items() for l in pods), "the pod monitor selects nothing")


def compose(*files):
    """What the files are together, by compose_spec.json: every service is confined, smd's settings exist, and no port is
    published but on loopback."""
    flags = [f for name in files for f in ("-f", "deploy/" + name)]
    together = yaml.safe_load(subprocess.run(["docker-compose", *flags, "config"], stdout=subprocess.PIPE, check=True).stdout)
    for name, service in together["services"].items():
        check(service["read_only"] and service["cap_drop"] == ["ALL"], "compose:", name, "is not confined")
        check(service["security_opt"] == ["no-new-privileges:true"], "compose:", name, "may gain privileges")
        for p in service.get("ports", []):
            check(p.startswith("127.0.0.1:"), "compose:", name, "publishes", p)
    return together["services"], together


services, _ = compose("compose.yaml")
all_settings(services["smd"]["environment"])

services, together = compose("compose.yaml", "compose.shared.yaml")
env, redis, jobs = services["smd"]["environment"], services["redis"], services["jobs"]
for server in redis, jobs:
    check(together["networks"]["shared"]["internal"] and list(server["networks"]) == ["shared"] and "ports" not in server,
          "compose: others reach Redis")
check("shared" in services["smd"]["networks"], "compose: smd does not reach Redis")
check(env["SMD_SHARED"] == "redis://redis:6379", "compose: smd asks another Redis")
check([s["source"] for s in services["smd"]["secrets"]] == ["mac_key"] and env["SMD_MAC_KEY"] == "/run/secrets/mac_key",
      "compose: smd has another key")
secret = together["secrets"]["mac_key"]["file"]
check(all("deploy/mac.key" in open(f).read() for f in (".gitignore", ".dockerignore")) and secret.endswith("/deploy/mac.key"),
      "compose: the key would be in the image or in the repository")
def redis_setting(server, name):
    return server["command"][server["command"].index(name) + 1]


check(redis_setting(redis, "--maxmemory-policy") == "allkeys-lru", "compose: Redis does not evict")
check(env["SMD_JOB_QUEUE"] == "redis://jobs:6379", "compose: smd has another queue")
check(redis_setting(jobs, "--maxmemory-policy") == "noeviction" and redis_setting(jobs, "--appendonly") == "yes" and
      [v.split(":")[1] for v in jobs["volumes"]] == ["/data"], "compose: jobs are lost")
with tempfile.NamedTemporaryFile("w") as key:
    key.write("0" * 64)
    key.flush()
    all_settings(env | {"SMD_MAC_KEY": key.name})

# The fleet: HAProxy has each smd, who believes HAProxy alone who asks; Prometheus asks each at admin_listen, Grafana asks it.
services, together = compose("compose.fleet.yaml")
fleet = sorted(name for name in services if name.startswith("smd"))
env = services[fleet[0]]["environment"]
balancer = services["haproxy"]["environment"]
check(sorted(v for k, v in balancer.items() if k != "SMD_BIND") == [name + ":8199" for name in fleet], "compose: HAProxy has", balancer)
subprocess.run(["haproxy", "-c", "-q", "-f", "deploy/haproxy.cfg"], check=True)
subnet = together["networks"]["fleet"]["ipam"]["config"][0]["subnet"]
check(env["SMD_TRUSTED_PROXIES"] == subnet and together["networks"]["fleet"]["internal"], "compose: smd believes others than HAProxy")
check(all(set(services[name]["networks"]) == {"fleet", "shared"} for name in fleet), "compose: others reach smd")
with tempfile.NamedTemporaryFile("w") as key:
    key.write("0" * 64)
    key.flush()
    for name in fleet:
        all_settings(services[name]["environment"] | {"SMD_MAC_KEY": key.name})
asked = yaml.safe_load(open("deploy/prometheus/prometheus.yaml"))["scrape_configs"][0]
port = env["SMD_ADMIN_LISTEN"].split(":")[1]
check(asked["static_configs"][0]["targets"] == [f"{name}:{port}" for name in fleet], "prometheus.yaml: asks", asked)
check('job="%s"' % asked["job_name"] in open("deploy/prometheus/alerts.yaml").read(), "prometheus.yaml: the alerts are about another job")
subprocess.run(["promtool", "check", "config", "deploy/prometheus/prometheus.yaml"], stdout=subprocess.DEVNULL, check=True)
for path in services["prometheus"]["volumes"] + services["grafana"]["volumes"] + services["haproxy"]["volumes"]:
    source = path.split(":")[0]
    check(not source.startswith("/") or os.path.exists(source), "compose: there is no", source)
source = yaml.safe_load(open("deploy/prometheus/grafana/datasources/prometheus.yaml"))["datasources"][0]
check(source["url"] == "http://prometheus:9090" and "prometheus" in services, "compose: Grafana asks", source["url"])
print("deploy/kubernetes and deploy/compose*.yaml are in order")
