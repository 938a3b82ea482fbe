/// Decodes the reports of a barcode scanner in HID POS mode into messages.
///
/// HID Point of Sale Usage Tables 1.02, 4 (usage page 0x8C): exact bytes, and the symbology identifier.
public struct HIDScanDecoder: Sendable {
    private static let page: UInt16 = 0x8C
    /// The application usage of a barcode scanner.
    public static let application = HIDReportDescriptor.Usage(page: page, id: 0x02)

    private static let decodedData = HIDReportDescriptor.Usage(page: page, id: 0xFE)
    private static let isContinued = HIDReportDescriptor.Usage(page: page, id: 0xFF)
    private static let identifiers = (0xFB...0xFD).map { HIDReportDescriptor.Usage(page: page, id: UInt16($0)) }
    /// The number of bytes in a partly filled report (Generic Desktop page).
    private static let byteCount = HIDReportDescriptor.Usage(page: 0x01, id: 0x3B)

    /// The time after the last report of a message after which its rest no longer counts as a part of it.
    private static let giveUpTime: Duration = .seconds(3)

    private let descriptor: HIDReportDescriptor
    private let maximumLength: Int
    private var bytes: [UInt8] = []
    private var length = 0
    private var identifier: String?
    private var lastTime: Duration = .zero
    /// The time until which the device may be in the middle of a message; `nil` if it is not.
    private var joining: Duration?
    /// Indicates whether the rest of such a message has arrived.
    private var hasRest = false

    /// Creates a decoder for a device; `nil` if its reports hold no scanned data.
    public init?(_ descriptor: HIDReportDescriptor, maximumLength: Int = ScanFraming.maximumLength) {
        guard !descriptor.fields(of: Self.decodedData).isEmpty else { return nil }
        self.descriptor = descriptor
        self.maximumLength = maximumLength
    }

    /// The time of the next call of ``advance(to:)``; `nil` while nothing is pending.
    public var deadline: Duration? { hasRest || length > 0 ? lastTime + Self.giveUpTime : joining }

    /// Indicates whether the next input is the beginning of a message.
    public var isReady: Bool { joining == nil }

    /// Says that the device may be in the middle of a message.
    ///
    /// Its rest is discarded, unless the device is silent for 150 ms.
    public mutating func join(at time: Duration) {
        clear()
        joining = time + ScanAssembler.quietTime
    }

    /// Advances the time while no input comes, and returns a message whose end did not come in time.
    public mutating func advance(to time: Duration) -> FramedScan? {
        guard let deadline, time >= deadline else { return nil }
        return discard(.withoutEnd)
    }

    /// Ends the input, because the connection ended.
    public mutating func disconnect() -> FramedScan? { discard(.disconnected) }

    private mutating func discard(_ reason: DiscardReason) -> FramedScan? {
        defer { clear() }
        return length > 0 ? .discarded(isReady ? reason : .begunBefore, length: length) : nil
    }

    /// Decodes a report of hidraw, with its report ID if reports have one, and returns the message that it
    /// completes.
    public mutating func handle(_ report: [UInt8], at time: Duration) -> FramedScan? {
        guard let number = descriptor.hasNumbers ? report.first : 0 else { return nil }
        let body = descriptor.hasNumbers ? report.dropFirst() : report[...]
        guard let field = descriptor.fields(of: Self.decodedData, report: number).first else { return nil }
        var data = field.values(in: body).map { UInt8(truncatingIfNeeded: $0) }
        if let count = value(of: Self.byteCount, in: body, report: number) {
            data = Array(data.prefix(max(0, Int(count))))
        } else {
            // The unused rest of a report is filled with zeros.
            while data.last == 0 { data.removeLast() }
        }
        if length == 0 { identifier = identifier(in: body, report: number) }
        length += data.count
        hasRest = joining != nil
        lastTime = time
        if bytes.count + data.count <= maximumLength { bytes += data }
        let isContinued = (value(of: Self.isContinued, in: body, report: number) ?? 0) != 0
        if isContinued { return nil }
        defer { clear() }
        guard length > 0 else { return nil }
        guard isReady else { return .discarded(.begunBefore, length: length) }
        guard length == bytes.count else { return .discarded(.tooLong, length: length) }
        return .scan(DeviceScan(bytes: bytes, symbologyIdentifier: identifier))
    }

    private mutating func clear() {
        bytes = []
        length = 0
        identifier = nil
        joining = nil
        hasRest = false
    }

    /// Returns the value of a usage in a report; `nil` if the report has none.
    private func value(of usage: HIDReportDescriptor.Usage, in body: ArraySlice<UInt8>, report: UInt8) -> Int64? {
        for field in descriptor.fields(of: usage, report: report) where !field.isArray {
            guard let index = field.usages.firstIndex(of: usage) else { continue }
            let values = field.values(in: body)
            if index < values.count { return values[index] }
        }
        return nil
    }

    /// Returns the three characters of the symbology identifier; `nil` if the device omits it.
    ///
    /// Some devices send the `]`, others only the two characters after it.
    private func identifier(in body: ArraySlice<UInt8>, report: UInt8) -> String? {
        let characters = Self.identifiers.compactMap { value(of: $0, in: body, report: report) }
            .compactMap { UInt8(exactly: $0) }.filter { $0 > 0x20 }
        if let identifier = SymbologyIdentifier(characters) { return identifier.text }
        return SymbologyIdentifier([UInt8(ascii: "]")] + characters)?.text
    }
}
