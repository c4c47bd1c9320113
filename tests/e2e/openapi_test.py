#!/usr/bin/python3
"""What the end-to-end tests were answered is as openapi.yaml says. Run in the project's folder.

    openapi_test.py FOLDER      FOLDER: where tests/support/http.c has written the answers down"""
import glob, json, sys

sys.path.insert(0, "tests/support")
from openapi import Wrong, holds, template

wrong, kinds, count = {}, set(), 0
for path in glob.glob(sys.argv[1] + "/*"):
    for line in open(path, encoding="utf-8"):
        answer = json.loads(line)
        kind, status = answer["type"].split(";")[0], str(answer["status"])
        headers = {h.split(":")[0].lower() for h in answer["header"].splitlines()}
        route, method = answer["path"], answer["method"]
        if status == "405" or status == "404" and not template(route.split("?")[0]):
            route, method = "/v1/compile", "POST"  # what is no route is answered as any problem is
        elif method == "HEAD":
            method = "GET"
        try:
            kinds.add((holds(method, route, status, kind, headers, answer["body"]), method, status))
            count += 1
        except Wrong as e:
            wrong.setdefault(str(e)[:400], path)
if wrong:
    sys.exit("\n".join(f"{why}\n    ({path})" for why, path in list(wrong.items())[:20]))
if count == 0:
    print("no answers were written down by the tests that ran before this one")
    sys.exit(77)
print(f"{count} answers of {len(kinds)} kinds are as the document says")
