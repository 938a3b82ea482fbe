public import ArgumentParser
public import BarcodeDecoding
public import Logging

extension DecodeOptions.Effort: ExpressibleByArgument {}

extension Logger.Level: @retroactive ExpressibleByArgument {}
