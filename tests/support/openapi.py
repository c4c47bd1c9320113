"""proto/openapi.yaml and proto/stackmap.schema.json, and whether an answer is as they say. Read in the project's folder."""
import functools, json, re
import jsonschema, yaml

api = yaml.safe_load(open("proto/openapi.yaml", encoding="utf-8"))
stackmap = jsonschema.Draft202012Validator(json.load(open("proto/stackmap.schema.json", encoding="utf-8")))


class Wrong(Exception):
    pass


def check(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


def at(ref):
    node = api
    for part in ref.removeprefix("#/").split("/"):
        check(part in node, ref, "leads nowhere")
        node = node[part]
    return node


def resolved(node):
    return resolved(at(node["$ref"])) if isinstance(node, dict) and "$ref" in node else node


def operations():
    for path, item in api["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post", "delete", "head", "put"):
                yield path, method, operation, item


def template(path):
    """The document's path that PATH, without its query, is one of; None if there is none."""
    for p in sorted(api["paths"], key=lambda p: "{" in p):
        if re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(p)), path):
            return p
    return None


@functools.cache
def validator(template, method, status, kind):
    schema = response_of(template, method, status)["content"][kind].get("schema", {})
    # References are to the document's own parts.
    return jsonschema.Draft202012Validator({**schema, "components": api["components"]})


def response_of(template, method, status):
    """What the document says of this status; None if nothing."""
    responses = api["paths"][template].get(method, {}).get("responses", {})
    return resolved(responses.get(status) or responses.get(int(status)) or responses.get("default"))


def holds(method, path, status, kind, headers, text):
    """Holds an answer against the document; TEXT is the body, bytes or str. Gives the path's template."""
    where = f"{method} {path}: {status} {kind}"
    p = template(path.split("?")[0])
    check(p, where, "is not in openapi.yaml")
    response = response_of(p, method.lower(), status)
    check(response, where, "is not in openapi.yaml")
    if text and "content" in response:
        check(kind in response["content"], where, "is of no media type of the document:", list(response["content"]))
        if kind.endswith("json"):
            value = json.loads(text)
            errors = sorted(validator(p, method.lower(), status, kind).iter_errors(value), key=lambda e: e.json_path)
            check(not errors, where, *(f"{e.json_path}: {e.message[:300]}" for e in errors[:3]))
            for one in value.get("results", [value]) if isinstance(value, dict) else []:
                if one.get("stackmap"):
                    stackmap.validate(one["stackmap"])
    for name, header in response.get("headers", {}).items():
        header = resolved(header)
        check(name.lower() in headers or not header.get("required"), where, "lacks", name)
    return p
