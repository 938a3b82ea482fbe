#!/usr/bin/env python3
"""Makes gs1-syntax-engine.tsv: the cases of GS1's own syntax engine, what it accepts and what it refuses.

usage: make-gs1-fixtures.py REPOSITORY      a clone of https://github.com/gs1/gs1-syntax-engine (Apache License 2.0)

Run it in this folder; it overwrites the file. A case a line, fields separated by tabs: kind, whether it is valid, the
data, what is expected; bytes that are no printable ASCII are written \\xHH.
"""
import collections
import re
import subprocess
import sys

R = sys.argv[1]
def show(p): return subprocess.run(["git","show","HEAD:"+p],capture_output=True,cwd=R).stdout.decode('utf-8')
def cstr(s):
    parts=re.findall(r'"((?:[^"\\]|\\.)*)"',s,re.S)
    t=''.join(parts)
    return t.encode('latin-1','backslashreplace').decode('unicode_escape').encode('latin-1')
rows=[]
ai=re.sub(r'^\s*//.*$','',show("src/c-lib/ai.c"),flags=re.M)
S=r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
for ok,d in re.findall(r'^\s*test_processAIdata\((true|false),\s*'+S+r'\)',ai,re.M):
    rows.append(("element-string",ok,cstr(d),b""))
for ok,d,e in re.findall(r'^\s*test_parseAIdata\((true|false),\s*'+S+r',\s*'+S+r'\)',ai,re.M):
    rows.append(("bracketed",ok,cstr(d),cstr(e)))
for d,e in re.findall(r'^\s*\{\s*'+S+r',\s*(GS1_LINTER_\w+)\s*\}',ai,re.M):
    rows.append(("bracketed-check","true" if e=="GS1_LINTER_OK" else "false",cstr(d),e[11:].encode()))
for ok,f,d in re.findall(r'^\s*test_validateAIs\((true|false),\s*(\w+),\s*'+S+r'\)',ai,re.M):
    rows.append(("pairs-"+f,ok,cstr(d),b""))
files=subprocess.run(["git","ls-tree","--name-only","HEAD","src/c-lib/syntax/"],capture_output=True,text=True,cwd=R).stdout.split()
for f in files:
    m=re.match(r'.*/lint_(\w+)\.c$',f)
    if not m or m.group(1).startswith('_'): continue
    n=m.group(1)
    s=show(f)
    for d in re.findall(r'UNIT_TEST_PASS\(gs1_lint_%s,\s*'%n+S+r'\)',s): rows.append(("check-"+n,"true",cstr(d),b""))
    for d,e in re.findall(r'UNIT_TEST_FAIL\(gs1_lint_%s,\s*'%n+S+r',\s*(GS1_LINTER_\w+)',s): rows.append(("check-"+n,"false",cstr(d),e[11:].encode()))
dl=show("src/c-lib/dl.c")
C=r'(?:\s*//[^\n]*\n\s*)?'
flags=set()
T=re.compile(r'PermitZeroSuppressedGTINinDLuris\(ctx, (?P<z>true|false)\)|permitConvenienceAlphas = (?P<a>true|false)|setPermitUnknownAIs\(ctx, (?P<u>true|false)\)|^\s*test_parseDLuri\((?P<ok>true|false),'+C+r'\s*(?P<d>(?:"(?:[^"\\]|\\.)*"\s*)+),'+C+r'\s*(?P<e>(?:"(?:[^"\\]|\\.)*"\s*)+)\)|^\s*test_testGenerateDLuri\((?P<gok>true|false),\s*(?P<stem>NULL|"[^"]*"),\s*(?P<gd>"(?:[^"\\]|\\.)*"),\s*(?P<ge>"(?:[^"\\]|\\.)*")\)',re.M)
for m in T.finditer(dl):
    for k in 'zau':
        if m.group(k): (flags.add if m.group(k)=='true' else flags.discard)(k)
    if m.group('ok') and not flags&{'a','u'}:
        rows.append(("link-short" if 'z' in flags else "link",m.group('ok'),cstr(m.group('d')),cstr(m.group('e'))))
    if m.group('gok') and not flags&{'a','u'}:
        stem=m.group('stem').strip('"'); stem='' if stem=='NULL' else stem
        rows.append(("made-link "+stem,m.group('gok'),cstr(m.group('gd')),cstr(m.group('ge'))))
print(collections.Counter(r[0] for r in rows))
def esc(b): return ''.join(chr(c) if 0x21<=c<0x7f and c!=0x5c else '\\x%02x'%c for c in b)
open('gs1-syntax-engine.tsv', 'w').write('\n'.join('\t'.join([k,ok,esc(a),esc(b)]) for k,ok,a,b in rows)+'\n')
