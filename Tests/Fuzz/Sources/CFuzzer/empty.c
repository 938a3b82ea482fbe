// Nothing is built here: libFuzzer is linked by -sanitize=fuzzer.
