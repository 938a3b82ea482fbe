/// Makes messages of the reports of a bar code scanner in HID POS mode.
///
/// HID Point of Sale Usage Tables 1.02, 4 (usage page 0x8C): exact bytes, and the symbology identifier.
public struct HIDScanDecoder: Sendable {
    private static let page: UInt16 = 0x8C
    /// A bar code scanner, as an application.
    public static let application = HIDReportDescriptor.Usage(page: page, id: 0x02)

    private static let decodedData = HIDReportDescriptor.Usage(page: page, id: 0xFE)
    private static let isContinued = HIDReportDescriptor.Usage(page: page, id: 0xFF)
    private static let identifiers = (0xFB...0xFD).map { HIDReportDescriptor.Usage(page: page, id: UInt16($0)) }
    /// The number of bytes in a report that is not full (Generic Desktop page).
    private static let byteCount = HIDReportDescriptor.Usage(page: 0x01, id: 0x3B)

    private let descriptor: HIDReportDescriptor
    private let maximumLength: Int
    private var bytes: [UInt8] = []
    private var length = 0
    private var identifier: String?
    /// Until when the device may be amid a message whose beginning was not heard; nil once it is not.
    private var joining: Duration?
    /// Whether the rest of such a message has come.
    private var hasRest = false

    /// A decoder of a device's reports; nil where they hold no message.
    public init?(_ descriptor: HIDReportDescriptor, maximumLength: Int = ScanFraming.maximumLength) {
        guard !descriptor.fields(of: Self.decodedData).isEmpty else { return nil }
        self.descriptor = descriptor
        self.maximumLength = maximumLength
    }

    /// When ``advance(to:)`` has something to do; nil while nothing waits.
    public var deadline: Duration? { hasRest ? nil : joining }

    /// Whether what comes next is no rest of a message whose beginning was not heard.
    public var isReady: Bool { joining == nil }

    /// Says that the device may be amid a message, whose beginning was not heard: its rest is discarded, unless it is
    /// silent for a moment.
    public mutating func join(at time: Duration) {
        clear()
        joining = time + ScanAssembler.quietTime
    }

    /// Takes that time has passed in which nothing came.
    public mutating func advance(to time: Duration) {
        if let deadline, time >= deadline { joining = nil }
    }

    /// Takes the end of the connection.
    public mutating func disconnect() -> FramedScan? {
        defer { clear() }
        return length > 0 ? .discarded(isReady ? .disconnected : .begunBefore, length: length) : nil
    }

    /// Takes a report as hidraw gives it, with its number where reports have one; returns the message that it ended.
    public mutating func handle(_ report: [UInt8]) -> FramedScan? {
        guard let number = descriptor.hasNumbers ? report.first : 0 else { return nil }
        let body = descriptor.hasNumbers ? report.dropFirst() : report[...]
        guard let field = descriptor.fields(of: Self.decodedData, report: number).first else { return nil }
        var data = field.values(in: body).map { UInt8(truncatingIfNeeded: $0) }
        if let count = value(of: Self.byteCount, in: body, report: number) {
            data = Array(data.prefix(max(0, Int(count))))
        } else {
            // What a message does not fill is zero.
            while data.last == 0 { data.removeLast() }
        }
        if length == 0 { identifier = identifier(in: body, report: number) }
        length += data.count
        hasRest = joining != nil
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

    /// The value of a usage in a report; nil where the report has none.
    private func value(of usage: HIDReportDescriptor.Usage, in body: ArraySlice<UInt8>, report: UInt8) -> Int64? {
        for field in descriptor.fields(of: usage, report: report) where !field.isArray {
            guard let index = field.usages.firstIndex(of: usage) else { continue }
            let values = field.values(in: body)
            if index < values.count { return values[index] }
        }
        return nil
    }

    /// The three characters of the identifier; nil where the device leaves them out.
    ///
    /// Some devices give the `]`, others the two behind it alone.
    private func identifier(in body: ArraySlice<UInt8>, report: UInt8) -> String? {
        let characters = Self.identifiers.compactMap { value(of: $0, in: body, report: report) }
            .compactMap { UInt8(exactly: $0) }.filter { $0 > 0x20 }
        if let identifier = SymbologyIdentifier(characters) { return identifier.text }
        return SymbologyIdentifier([UInt8(ascii: "]")] + characters)?.text
    }
}
