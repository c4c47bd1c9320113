"""Builds the package with Python's own library alone (PEP 517), so that pip needs no network for it."""

import base64
import hashlib
import pathlib
import re
import tarfile
import zipfile

HERE = pathlib.Path(__file__).parent
FILES = sorted([*(HERE / "smd").glob("*.py"), HERE / "smd/py.typed"])


def _field(name):
    return re.search(rf'^{name} = "(.*)"$', (HERE / "pyproject.toml").read_text(encoding="utf-8"), re.M)[1]


VERSION = _field("version")
INFO = f"smd-{VERSION}.dist-info"
METADATA = (f"Metadata-Version: 2.1\nName: smd\nVersion: {VERSION}\nSummary: {_field('description')}\n"
            f"Requires-Python: {_field('requires-python')}\nLicense: Apache-2.0\n")


def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = f"smd-{VERSION}-py3-none-any.whl"
    contents = {f"smd/{f.name}": f.read_bytes() for f in FILES}
    contents[f"{INFO}/METADATA"] = METADATA.encode()
    contents[f"{INFO}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: smd\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}\n"
                     for path, data in contents.items())
    contents[f"{INFO}/RECORD"] = f"{record}{INFO}/RECORD,,\n".encode()
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            wheel.writestr(path, data)
    return name


def build_sdist(folder, config_settings=None):
    name = f"smd-{VERSION}.tar.gz"
    with tarfile.open(pathlib.Path(folder) / name, "w:gz") as archive:
        for f in [HERE / "pyproject.toml", HERE / "build_smd.py", *FILES]:
            archive.add(f, f"smd-{VERSION}/{f.relative_to(HERE)}")
    return name
