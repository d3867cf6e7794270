"""The comparisons, as data. A target is a ratio, never a time: machines differ."""

from benchmarks.measuring.comparison import Check, Command, Comparison, Contestant, Ratio

START_BUDGET = "start-up budget: at most 2.5 times a bare Python, through the installed script"
PROTOTYPE_LIST = "prototype 1.4 (heads and tails of main files); room for noise"
PROTOTYPE_SEARCH = "prototype 2.9 to 3.5 with the standard library's find on 1 GB; room for noise"
PROTOTYPE_FREQUENT = "prototype 5.7 to 6.4 on 46,000 lines of 1 GB; room for noise"
PROTOTYPE_DECODING = {
    "rare": (0.4, "prototype 0.1 on 1 GB; room for a fixed cost of 0.1 s on less"),
    "absent": (0.4, "prototype 0.1 on 1 GB; room for a fixed cost of 0.1 s on less"),
    "frequent": (0.7, "prototype 0.2 to 0.3 on 1 GB; room for printing what was found"),
}
NOT_MEASURED = "none yet"

SEARCHED = ("--claude-home", "{home}")
RG = ("{rg}", "--no-config", "--no-ignore", "--hidden", "--glob", "*.jsonl", "-c")
GREP = ("{grep}", "-r", "-c", "--include=*.jsonl")
DECODE: Command = ("{python}", "-I", "{references}/decode_every_line.py", "{projects}")
FIND: Command = ("{find}", "{projects}", "-name", "*.jsonl", "-printf", "%s %T@ %p\\n")


def _starts() -> Comparison:
    bare = Contestant(name="python -I -c pass", steps=(("{python}", "-I", "-c", "pass"),))
    helps = tuple(
        Contestant(name=f"{program} {' '.join(rest)}", steps=((f"{{{program}}}", *rest),))
        for program, *rest in (
            ("csift", "--help"),
            ("csift", "list", "--help"),
            ("asz", "--help"),
        )
    )
    whoami = Contestant(
        name="csift whoami",
        steps=(("{csift}", "whoami", "--claude-home", "{home}"),),
        probe=("{csift}", "whoami", "--help"),
        environment=(("CLAUDE_CODE_SESSION_ID", "{session}"),),
    )
    subjects = (*helps, whoami)
    return Comparison(
        name="start",
        contestants=(bare, *subjects),
        ratios=tuple(
            Ratio(subject=subject.name, reference=bare.name, target=2.5, source=START_BUDGET)
            for subject in subjects
        ),
    )


def _list() -> Comparison:
    main_only = ("{csift}", "list", "--no-subagents", "--max-count", "0", "--claude-home", "{home}")
    everything = ("{csift}", "list", "--max-count", "0", "--claude-home", "{home}")
    return Comparison(
        name="list",
        contestants=(
            Contestant(name="find", steps=(FIND,)),
            Contestant(
                name="csift list --no-subagents",
                steps=(main_only,),
                check=Check(
                    command=(*main_only, "--format", "json"),
                    reading="sessions_in_scope",
                    fact="main_files",
                ),
            ),
            Contestant(name="csift list", steps=(everything,)),
        ),
        ratios=(
            Ratio(
                subject="csift list --no-subagents",
                reference="find",
                target=3.0,
                source=PROTOTYPE_LIST,
            ),
            Ratio(subject="csift list", reference="find", source=NOT_MEASURED),
        ),
    )


def _search(needle: str, *, over_rg: float, over_rg_source: str) -> Comparison:
    word = f"{{{needle}}}"
    found = (0,) if needle != "absent" else (0, 1)  # grep and rg: 1 means nothing was found
    rg, grep = (*RG, word, "{projects}"), (*GREP, word, "{projects}")
    decode = (*DECODE, word)
    csift = ("{csift}", "search", word, "--claude-home", "{home}")
    census = (*csift, "--count-by", "label", "--format", "json")

    def prove(command: Command, reading: str, unit: str) -> Check:
        return Check(command=command, reading=reading, fact=f"{needle}.{unit}")

    plain = (("LC_ALL", "C"),)
    scanners = (
        Contestant(
            name="rg -c", steps=(rg,), accepts=found, check=prove(rg, "sum_of_counts", "lines")
        ),
        Contestant(
            name="grep -rc",
            steps=(grep,),
            accepts=found,
            environment=plain,
            check=prove(grep, "sum_of_counts", "lines"),
        ),
        Contestant(
            name="json.loads every line", steps=(decode,), check=prove(decode, "number", "lines")
        ),
    )
    subject = Contestant(
        name="csift search", steps=(csift,), check=prove(census, "matched_records", "records")
    )
    over_decoding, over_decoding_source = PROTOTYPE_DECODING[needle]
    return Comparison(
        name=f"search-{needle}",
        contestants=(*scanners, subject),
        ratios=(
            Ratio(subject=subject.name, reference="rg -c", target=over_rg, source=over_rg_source),
            Ratio(subject=subject.name, reference="grep -rc", source=NOT_MEASURED),
            Ratio(
                subject=subject.name,
                reference="json.loads every line",
                target=over_decoding,
                source=over_decoding_source,
            ),
        ),
    )


def _collect() -> Comparison:
    fresh = ("--claude-home", "{home}", "--root", "{fresh}")
    collect = ("{asz}", "collect", "--once", *fresh)
    subject = Contestant(
        name="asz collect + parse",
        steps=(collect, ("{asz}", "parse", "--root", "{fresh}")),
        check=Check(command=collect, reading="collected_sessions", fact="main_files"),
    )
    return Comparison(
        name="collect",
        contestants=(
            Contestant(name="json.loads every line", steps=(DECODE,)),
            Contestant(name="cp -r", steps=(("{cp}", "-r", "{projects}", "{fresh}"),)),
            subject,
        ),
        ratios=(
            Ratio(subject=subject.name, reference="json.loads every line", source=NOT_MEASURED),
            Ratio(subject=subject.name, reference="cp -r", source=NOT_MEASURED),
        ),
    )


def _steady() -> Comparison:
    collect = ("{asz}", "collect", "--once", "--claude-home", "{home}", "--root", "{kept}")
    subject = Contestant(name="asz collect, nothing new", setup=(collect,), steps=(collect,))
    return Comparison(
        name="collect-steady",
        contestants=(Contestant(name="find", steps=(FIND,)), subject),
        ratios=(Ratio(subject=subject.name, reference="find", source=NOT_MEASURED),),
    )


COMPARISONS = (
    _starts(),
    _list(),
    _search("rare", over_rg=4.0, over_rg_source=PROTOTYPE_SEARCH),
    _search("absent", over_rg=4.0, over_rg_source=PROTOTYPE_SEARCH),
    _search("frequent", over_rg=8.0, over_rg_source=PROTOTYPE_FREQUENT),
    _collect(),
    _steady(),
)
