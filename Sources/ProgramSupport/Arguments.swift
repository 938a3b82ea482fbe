public import ArgumentParser
public import BarcodeDecoding
public import Logging

extension DecodeOptions.Effort: ExpressibleByArgument {}

/// `--log-level`.
extension Logger.Level: @retroactive ExpressibleByArgument {}
