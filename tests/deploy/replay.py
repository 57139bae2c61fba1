"""`make image-replay`: the image built step by step without a daemon, and run read only.

It needs root, and Debian's buildah and debootstrap, which it installs where they are missing. The
base, python:slim, cannot be had without a registry: a Debian with Python that debootstrap makes
stands in for it, with a folder of packages where that base has pip, so that its end is seen. All
else is the Dockerfile, line by line. It is built twice, and both have to be the same files with the
same content; then every part is started in it as user 10001, with what the image may write.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.deploy.image import dockerfile
from tests.deploy.support import DEPLOY, ROOT

FOLDER = ROOT / "var" / "replay"
# What the runtime of containers sees to, in namespaces of its own.
INSIDE = """
set -eu
root=$1; shift
mount --bind "$root" "$root"
mount -o remount,ro,bind "$root"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o uid=10001,gid=10001,mode=700 tmpfs "$root/var/lib/candor"
exec chroot --userspec=10001:10001 "$root" env -i "$@"
"""
CHECKS = """
set -eu
cd /opt/candor
test "$(id -u)" = 10001
python -m config.stack.part migrate --verbosity 0
python -m config.stack.part web & web=$!
tries=0
until python -m config.stack.part healthy >/tmp/said; do
    tries=$((tries + 1)); test $tries -lt 60 || { cat /tmp/said; exit 1; }; sleep 1
done
python -m config.stack.part manage check --deploy --fail-level WARNING >/tmp/said
kill -TERM $web
wait $web
! touch /opt/candor/written 2>/dev/null
! touch /written 2>/dev/null
! python -c "import pip" 2>/dev/null
! command -v gcc cc make pip
test -s sbom.cdx.json
test -s collected/staticfiles.json
test ! -e tests && test ! -e docs && test ! -e requirements.txt
"""
FORMAT = "{{.Docker.Config}} {{.Docker.Config.Healthcheck.Test}}"
ENVIRONMENT = {
    "CANDOR_SECRET_KEY": "of this replay alone, and long enough: 0123456789 abcdefg",
    "CANDOR_ALLOWED_HOSTS": "survey.example.org",
    "CANDOR_TRUSTED_PROXIES": "1",
    "REDIS_URL": "redis://127.0.0.1:1/0",
}


def call(*command: object) -> str:
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"`{' '.join(str(word) for word in command[:6])} ...` failed.")
    return done.stdout.strip()


def buildah(*words: object) -> str:
    places = ("--root", FOLDER / "images", "--runroot", FOLDER / "run", "--storage-driver", "vfs")
    return call("buildah", *places, *words)


def install() -> None:
    needed = [name for name in ("buildah", "debootstrap") if not shutil.which(name)]
    if needed:
        call("apt-get", "install", "-y", "-qq", "--no-install-recommends", *needed)


def base() -> str:
    """The stand-in of python:slim, made once."""
    name = "localhost/candor-base"
    if name in buildah("images", "--format", "{{.Name}}").split():
        return name
    with tempfile.TemporaryDirectory(dir=FOLDER) as place:
        system = Path(place, "system")
        packages = "python3.11,python3.11-venv,python3-pip,python-is-python3,ca-certificates"
        mirror = os.environ.get("MIRROR", "http://deb.debian.org/debian")
        call(
            "debootstrap", "--variant=minbase", f"--include={packages}", "bookworm", system, mirror
        )
        # Where python:slim has it, and where this one does not look.
        Path(system, "usr/local/lib/python3.11/site-packages/pip").mkdir(parents=True)
        for archive in system.glob("var/cache/apt/archives/*.deb"):
            archive.unlink()
        call("tar", "-C", system, "-cf", Path(place, "base.tar"), ".")
        shutil.rmtree(system)
        Path(place, "Dockerfile").write_text("FROM scratch\nADD base.tar /\n")
        buildah("build", "--quiet", "--isolation", "chroot", "--tag", name, place)
    return name


def build(tag: str) -> None:
    # What this machine needs to reach an index of packages is no part of the image.
    mine = [path for path in (Path("/etc/pip.conf"), Path("/etc/ssl/certs")) if path.exists()]
    volumes = [f"--volume={path}:{path}:ro" for path in mine]
    arguments = {"PYTHON": base(), "VERSION": "replay", "FONTS": os.environ.get("FONTS", "")}
    given = [f"--build-arg={name}={value}" for name, value in arguments.items()]
    buildah(
        "build", "--quiet", "--isolation", "chroot", "--format", "docker", "--layers=false",
        "--timestamp", "0", *given, *volumes, "--file", DEPLOY / "Dockerfile", "--tag", tag, ROOT,
    )  # fmt: skip


@contextmanager
def root_of(tag: str) -> Iterator[Path]:
    container = buildah("from", tag)
    try:
        yield Path(buildah("mount", container))
    finally:
        buildah("umount", container)
        buildah("rm", container)


def digests(root: Path) -> dict[str, str]:
    """The content of every file that the build has made, and its mode, by its path."""
    found = {}
    for path in sorted([*(root / "opt").rglob("*"), *(root / "etc").rglob("*")]):
        if path.is_symlink():
            content = os.readlink(path).encode()
        else:
            content = path.read_bytes() if path.is_file() else b""
        mode = f"{path.lstat().st_mode:o} "
        found[str(path.relative_to(root))] = mode + hashlib.sha256(content).hexdigest()
    return found


def main() -> None:
    if os.getuid():
        sys.exit("The image is built by root here: sudo make image-replay")
    FOLDER.mkdir(parents=True, exist_ok=True)
    install()
    began = time.monotonic()
    built = []
    for tag in ("candor-one", "candor-two"):
        build(tag)
        with root_of(tag) as root:
            built.append(digests(root))
        sys.stdout.write(f"{tag}: {len(built[-1])} files, {time.monotonic() - began:.0f} s\n")
        sys.stdout.flush()
    one, two = built
    differing = sorted(path for path in {*one, *two} if one.get(path) != two.get(path))
    if differing:
        sys.exit("Built twice, these differ:\n" + "\n".join(differing[:20]))
    labels = buildah("inspect", "--type", "image", "--format", FORMAT, "candor-two")
    for wanted in ("10001:10001", "org.opencontainers.image.version:replay", "healthy"):
        if wanted not in labels:
            sys.exit(f"The image does not say {wanted!r}: {labels}")
    environment = {**image_environment(), **ENVIRONMENT}
    values = [f"{name}={value}" for name, value in environment.items()]
    with root_of("candor-two") as root:
        call(
            "unshare", "--mount", "--pid", "--net", "--fork", "--kill-child",
            "sh", "-c", f"ip link set lo up 2>/dev/null || true\n{INSIDE}", "sh",
            root, *values, "sh", "-c", CHECKS,
        )  # fmt: skip
    sys.stdout.write("Both are the same, and every check of the second has passed.\n")


def image_environment() -> dict[str, str]:
    """What ENV of the last stage says."""
    last = dockerfile().split("\nFROM ")[2].replace("\\\n", " ")
    (line,) = re.findall(r"^ENV (.+)$", last, re.MULTILINE)
    given = dict(word.split("=", 1) for word in line.split())
    given["PATH"] = given["PATH"].replace("${PATH}", "/usr/local/bin:/usr/bin:/bin")
    return given


if __name__ == "__main__":
    main()
