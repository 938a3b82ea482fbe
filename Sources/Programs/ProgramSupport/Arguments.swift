public import ArgumentParser
public import BarcodeCore
public import Logging

extension DecodeOptions.Effort: ExpressibleByArgument {}

extension Logger.Level: @retroactive ExpressibleByArgument {}
