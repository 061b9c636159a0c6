"""Verifies evidence.intoto.jsonl and evidence.json without any code of Fixpoint.

Usage: verify_envelope.py FOLDER ["ssh-ed25519 BASE64"]

Uses the Python standard library, and `openssl` for Ed25519 signatures. With a public key, every
envelope must have a signature of that key.
"""

import base64
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

# The DER header of an Ed25519 public key.
SPKI = bytes.fromhex("302a300506032b6570032100")
PREDICATES = [
    "https://in-toto.io/attestation/test-result/v0.1",
    "https://slsa.dev/verification_summary/v1",
]


def require(condition, message):
    if not condition:
        sys.exit(f"error: {message}")


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pae(payload_type, payload):
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def signature_is_valid(line, message, signature):
    blob = base64.b64decode(line.split()[1], validate=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "key").write_bytes(SPKI + blob[-32:])
        (folder / "message").write_bytes(message)
        (folder / "signature").write_bytes(signature)
        command = "openssl pkeyutl -verify -pubin -keyform DER -inkey key -rawin -in message -sigfile signature"
        try:
            return (
                subprocess.run(
                    command.split(), cwd=folder, capture_output=True
                ).returncode
                == 0
            )
        except FileNotFoundError:
            sys.exit("error: checking a signature needs the program openssl")


def check_statement(folder, payload, predicate_type):
    statement = json.loads(payload)
    require(
        statement["_type"] == "https://in-toto.io/Statement/v1", "not a Statement v1"
    )
    require(statement["predicateType"] == predicate_type, f"not a {predicate_type}")
    subjects = {subject["name"]: subject["digest"] for subject in statement["subject"]}
    if "patch.diff" in subjects:
        digest = sha256(folder / "patch.diff")
        require(
            subjects["patch.diff"]["sha256"] == digest,
            "patch.diff differs from the subject",
        )
    predicate = statement["predicate"]
    inputs = predicate.get("configuration") or predicate["inputAttestations"]
    digest = sha256(folder / "evidence.json")
    require(
        inputs[0]["digest"]["sha256"] == digest,
        "evidence.json differs from the statement",
    )
    verdict = json.loads((folder / "evidence.json").read_text())["verdict"]
    result = predicate.get("result") or predicate["verificationResult"]
    require(
        (result == "PASSED") == (verdict == "proved"),
        "the result is not that of the verdict",
    )


def check_own_digest(value, name):
    rest = {key: member for key, member in value.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    require(value["sha256"] == digest, f"{name} differs from its digest")


def check_evidence(folder):
    evidence = json.loads((folder / "evidence.json").read_text())
    previous = "0" * 64
    for index, record in enumerate(evidence["commands"], 1):
        require(record["index"] == index, f"record {index} has another index")
        require(record["previousSha256"] == previous, f"record {index} is not in order")
        check_own_digest(record, f"record {index}")
        previous = record["sha256"]
    check_own_digest(evidence, "evidence.json")
    for name, digest in evidence["artifacts"].items():
        require(sha256(folder / name) == digest, f"{name} differs from evidence.json")
    return len(evidence["artifacts"])


def main(folder, public_key=None):
    folder = pathlib.Path(folder)
    lines = (folder / "evidence.intoto.jsonl").read_text().splitlines()
    require(len(lines) == len(PREDICATES), f"{len(lines)} envelopes")
    signed = 0
    for line, predicate_type in zip(lines, PREDICATES):
        envelope = json.loads(line)
        payload = base64.b64decode(envelope["payload"], validate=True)
        require(
            envelope["payloadType"] == "application/vnd.in-toto+json",
            "another payload type",
        )
        check_statement(folder, payload, predicate_type)
        for signature in envelope["signatures"]:
            key = public_key or signature["publicKey"]
            message = pae(envelope["payloadType"], payload)
            valid = signature_is_valid(key, message, base64.b64decode(signature["sig"]))
            require(valid, "a signature is wrong")
            signed += 1
    require(signed in (0, len(lines)), "only a part is signed")
    require(signed or public_key is None, "there is no signature")
    artifacts = check_evidence(folder)
    kind = "signed" if signed else "unsigned"
    print(f"{len(lines)} statements, {kind}, {artifacts} artifacts")


main(*sys.argv[1:])
