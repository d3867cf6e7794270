# ruff: noqa: E501 - source lines stand as the agent writes them
"""F1: six source lines of which every byte is printed, and so is what becomes of them."""

F1_SESSION = "11111111-1111-4111-8111-111111111111"
F1_LINES = (
    r'{"type":"user","uuid":"u1","parentUuid":null,"promptId":"p1","origin":{"kind":"human"},"timestamp":"2026-01-02T03:04:05.000Z","message":{"role":"user","content":"Count the <b> tags"}}',
    r'{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-01-02T03:04:06.000Z","message":{"id":"msg_1","role":"assistant","model":"m-1","stop_reason":"tool_use","content":[{"type":"thinking","thinking":"","signature":"c2lnbmF0dXJl"}],"usage":{"input_tokens":10,"output_tokens":25}}}',
    r'{"type":"assistant","uuid":"a2","parentUuid":"a1","timestamp":"2026-01-02T03:04:07.000Z","message":{"id":"msg_1","role":"assistant","model":"m-1","stop_reason":"tool_use","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"grep -c \"<b>\" x.html"}}],"usage":{"input_tokens":10,"output_tokens":25}}}',
    r'{"type":"user","uuid":"r1","parentUuid":"a2","promptId":"p1","timestamp":"2026-01-02T03:04:08.500Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"2","is_error":false}]},"toolUseResult":{"stdout":"2","stderr":"","interrupted":false}}',
    r'{"type":"assistant","uuid":"a3","parentUuid":"r1","timestamp":"2026-01-02T03:04:09.000Z","message":{"id":"msg_2","role":"assistant","model":"m-1","stop_reason":"end_turn","content":[{"type":"text","text":"There are 2."}],"usage":{"input_tokens":40,"output_tokens":5,"cache_read_input_tokens":10}}}',
    r'{"type":"system","subtype":"turn_duration","uuid":"s1","parentUuid":"a3","timestamp":"2026-01-02T03:04:09.100Z","durationMs":4100}',
)
