#!/usr/bin/env python3
"""Asks a decoder about the cases of the conformance suite: run.py CASES-DIRECTORY COMMAND [ARGUMENT...]

It needs Python 3.8 and nothing else. It prints the cases that fail, and ends with status 1 if one does, with 3 if nothing was
compared."""

import glob
import json
import os
import queue
import subprocess
import sys
import threading

TIMEOUT = 10  # seconds for an answer
MOST_SILENT = 5  # requests in a row without an answer
MOST_SILENT_AT_FIRST = 2  # before the first answer


def expand(recipe):
    """Returns the bytes of a large section in hexadecimal."""
    out = bytearray()
    for part in recipe:
        block = bytearray.fromhex(part["hex"])
        for _ in range(max(part.get("times", 0), 1)):
            out += block
            for step in part.get("steps") or []:
                field = slice(step["at"], step["at"] + step["size"])
                value = int.from_bytes(block[field], "little") + step["add"]
                block[field] = (value % (1 << 8 * step["size"])).to_bytes(step["size"], "little")
    return out.hex()


def cases(directory):
    for name in sorted(glob.glob(os.path.join(directory, "*.jsonl"))):
        with open(name, encoding="utf-8") as lines:
            for line in lines:
                case = json.loads(line)
                if "recipe" in case:
                    case["section"] = expand(case["recipe"])
                yield case


class Decoder:
    """A decoder that runs; it is started again after it has ended."""

    def __init__(self, command):
        self.command, self.process = command, None

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.answers = queue.Queue()

        def read(stream, answers):
            for line in stream:
                answers.put(line)
            answers.put(None)

        threading.Thread(target=read, args=(self.process.stdout, self.answers), daemon=True).start()

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def ask(self, request):
        """Returns the answer, or a string that says why there is none."""
        if not self.process:
            self.start()

        def write(stream, line):
            try:
                stream.write(line)
                stream.flush()
            except OSError:
                pass  # the decoder has ended: the answer says so

        line = (json.dumps(request, separators=(",", ":")) + "\n").encode()
        threading.Thread(target=write, args=(self.process.stdin, line), daemon=True).start()
        try:
            answer = self.answers.get(timeout=TIMEOUT)
        except queue.Empty:
            self.stop()
            return "no answer"
        if answer is None:
            self.stop()
            return "the decoder ended"
        try:
            answer = json.loads(answer)
        except ValueError:
            return "the answer is no JSON"
        return answer if isinstance(answer, dict) else "the answer is no JSON object"


def number(text):
    try:
        return int(text, 0)
    except (TypeError, ValueError):
        return None


def differs(got, want, at=""):
    """Returns where an answer differs from the expected one; what it does not state is not compared."""
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return at or "the answer"
        return next((d for k in want if k in got for d in [differs(got[k], want[k], at + "." + k)] if d), None)
    if isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            return at
        return next((d for i, w in enumerate(want) for d in [differs(got[i], w, "%s[%d]" % (at, i))] if d), None)
    if got == want or isinstance(want, str) and isinstance(got, str) and number(want) is not None and number(got) == number(want):
        return None
    return at


def points(case, why):
    """Returns the points on which the manual is silent and a case that fails rests."""
    member = why.split(" ")[0].split(".")[-1].split("[")[0] if why.endswith(" differs") else "error"
    return "".join("; the manual is silent: conformance.md#" + point for point in case.get("points", {}).get(member, []))


def failure(case, answer):
    """Returns why a decoder fails a case, None if it does not."""
    if isinstance(answer, str):
        return answer
    if answer.get("unsupported") or case["verdict"] == "either" and ("error" in answer or "expect" not in case):
        return None
    if case["verdict"] == "reject":
        return None if "error" in answer else "an answer for a section that cannot be decoded"
    if "error" in answer:
        return "refused: %s" % answer["error"]
    at = differs(answer, case["expect"])
    return at and at + " differs"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    decoder, failed, total, compared, silent, answered = Decoder(sys.argv[2:]), 0, 0, 0, 0, False
    for case in cases(sys.argv[1]):
        request = {k: case[k] for k in ("section", "address", "pc") if k in case}
        answer = decoder.ask(request)
        why = failure(case, answer)
        total += 1
        compared += case["verdict"] == "accept" and isinstance(answer, dict) and any(k in answer for k in case["expect"])
        silent = silent + 1 if why == "no answer" else 0
        if why:
            failed += 1
            print("%s: %s %s%s" % (case["name"], why, case["clauses"], points(case, why)))
        answered = answered or not silent
        if silent == (MOST_SILENT if answered else MOST_SILENT_AT_FIRST):
            sys.exit("the decoder does not answer")
    decoder.stop()
    print("%d cases, %d failed%s" % (total, failed, "" if compared else ", nothing compared"))
    sys.exit(1 if failed else 0 if compared else 3)


if __name__ == "__main__":
    main()
