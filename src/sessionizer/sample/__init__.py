"""The bundled sample home: data beside this file, found with importlib.resources.

Made by `tools/make_sample.py`; `README.md` says what each session shows. `asz` and the tests
read it, nothing imports it.
"""
