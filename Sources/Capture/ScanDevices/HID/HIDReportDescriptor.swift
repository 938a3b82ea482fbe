/// The layout of the reports of a HID device, parsed from its report descriptor.
///
/// USB Device Class Definition for Human Interface Devices 1.11, 6.2.2.
public struct HIDReportDescriptor: Sendable, Hashable {
    /// A usage: the meaning of a value, as a usage page and an ID.
    public struct Usage: Sendable, Hashable {
        /// The page, such as 0x8C for bar code scanners.
        public var page: UInt16
        /// The ID on the page.
        public var id: UInt16

        /// Creates a usage.
        public init(page: UInt16, id: UInt16) {
            self.page = page
            self.id = id
        }
    }

    /// Consecutive values of one kind in a report.
    struct Field: Sendable, Hashable {
        /// The report ID; 0 if reports have none.
        var report: UInt8
        /// The offset in bits, counted from after the report ID.
        var offset: Int
        /// The size of a value in bits, 1 to 32.
        var size: Int
        /// The number of values.
        var count: Int
        /// The smallest and the largest value.
        var range: ClosedRange<Int64>
        /// The meanings of the values: for an array the possible entries, otherwise one usage per value, the last
        /// of which holds for all further values.
        var usages: [Usage]
        /// Indicates whether each value selects an entry of ``usages``.
        var isArray: Bool
    }

    /// The longest descriptor in bytes, which is the kernel's limit (`HID_MAX_DESCRIPTOR_SIZE`).
    public static let maximumLength = 4096

    /// The fields of input reports, in order.
    private(set) var fields: [Field] = []
    /// The usages of the top-level collections, which say what the device is.
    public private(set) var applications: [Usage] = []
    /// Indicates whether the first byte of each report is its ID.
    public private(set) var hasNumbers = false

    /// Parses a descriptor, and skips parts that are invalid, so that a faulty device works as far as it can.
    ///
    /// - Parameter bytes: up to ``maximumLength`` bytes; the rest is ignored.
    public init(_ bytes: [UInt8]) {
        var parser = Parser()
        var position = 0
        let end = min(bytes.count, Self.maximumLength)
        while position < end {
            let head = bytes[position]
            // A long item, which no known device has; its length is in the next byte.
            if head == 0xFE {
                guard position + 1 < end else { break }
                position += 3 + Int(bytes[position + 1])
                continue
            }
            let length = [0, 1, 2, 4][Int(head & 3)]
            guard position + length < end else { break }
            var value: UInt32 = 0
            for index in 0..<length { value |= UInt32(bytes[position + 1 + index]) << UInt32(8 * index) }
            parser.take(tag: head & 0xFC, value: value, length: length)
            position += 1 + length
        }
        fields = parser.fields
        applications = parser.applications
        hasNumbers = parser.hasNumbers
    }

    /// Returns the fields that contain a usage, in one report or in all.
    func fields(of usage: Usage, report: UInt8? = nil) -> [Field] {
        fields.filter { $0.usages.contains(usage) && (report == nil || $0.report == report) }
    }
}

extension HIDReportDescriptor {
    /// Parses the items of a descriptor.
    private struct Parser {
        /// The global items, which hold until they change.
        struct Globals {
            var page: UInt16 = 0
            var minimum: Int64 = 0
            var maximum: Int64 = 0
            var size = 0
            var count = 0
            var report: UInt8 = 0
        }

        /// Limits far above the size of a real report.
        static let maximumCount = 65_536
        static let maximumUsages = 1024
        static let maximumDepth = 32

        var globals = Globals()
        var stack: [Globals] = []
        var usages: [Usage] = []
        var minimumUsage: Usage?
        var depth = 0
        var offsets: [UInt8: Int] = [:]
        var fields: [Field] = []
        var applications: [Usage] = []
        var hasNumbers = false

        mutating func take(tag: UInt8, value: UInt32, length: Int) {
            switch tag {
            case 0x80: addInput(flags: value)
            // Output and feature reports are separate, though they may share a report ID.
            case 0x90, 0xB0: endMain()
            case 0xA0:
                if depth == 0, let usage = usages.first { applications.append(usage) }
                depth += 1
                endMain()
            case 0xC0:
                depth = max(0, depth - 1)
                endMain()
            case 0x04: globals.page = UInt16(truncatingIfNeeded: value)
            case 0x14: globals.minimum = signed(value, length)
            case 0x24: globals.maximum = globals.minimum < 0 ? signed(value, length) : Int64(value)
            case 0x74: globals.size = Int(min(value, 64))
            case 0x84:
                globals.report = UInt8(truncatingIfNeeded: value)
                hasNumbers = true
            case 0x94: globals.count = Int(min(value, UInt32(Self.maximumCount)))
            case 0xA4: if stack.count < Self.maximumDepth { stack.append(globals) }
            case 0xB4: if let saved = stack.popLast() { globals = saved }
            case 0x08: if usages.count < Self.maximumUsages { usages.append(usage(value, length)) }
            case 0x18: minimumUsage = usage(value, length)
            case 0x28: addUsages(upTo: usage(value, length))
            default: break
            }
        }

        private func signed(_ value: UInt32, _ length: Int) -> Int64 {
            switch length {
            case 1: Int64(Int8(truncatingIfNeeded: value))
            case 2: Int64(Int16(truncatingIfNeeded: value))
            default: Int64(Int32(bitPattern: value))
            }
        }

        /// A usage of four bytes includes its page.
        private func usage(_ value: UInt32, _ length: Int) -> Usage {
            Usage(
                page: length == 4 ? UInt16(truncatingIfNeeded: value >> 16) : globals.page,
                id: UInt16(truncatingIfNeeded: value))
        }

        private mutating func addUsages(upTo last: Usage) {
            guard let first = minimumUsage, first.page == last.page, first.id <= last.id else { return }
            for id in first.id...last.id where usages.count < Self.maximumUsages {
                usages.append(Usage(page: first.page, id: id))
            }
            minimumUsage = nil
        }

        private mutating func addInput(flags: UInt32) {
            defer { endMain() }
            let start = offsets[globals.report, default: 0]
            let bits = globals.size * globals.count
            offsets[globals.report] = min(start + bits, Self.maximumCount * 64)
            let isConstant = flags & 1 != 0
            guard !isConstant, bits > 0, globals.size <= 32, start + bits <= Self.maximumCount * 8 else { return }
            fields.append(
                Field(
                    report: globals.report, offset: start, size: globals.size, count: globals.count,
                    range: globals.minimum...max(globals.minimum, globals.maximum), usages: usages,
                    isArray: flags & 2 == 0))
        }

        private mutating func endMain() {
            usages = []
            minimumUsage = nil
        }
    }
}

extension HIDReportDescriptor.Field {
    /// Returns the values of this field in a report without its ID; fewer if the report is too short.
    func values(in report: ArraySlice<UInt8>) -> [Int64] {
        let available = max(0, (report.count * 8 - offset) / size)
        return (0..<min(count, available)).map { value(at: offset + $0 * size, in: report) }
    }

    private func value(at bit: Int, in report: ArraySlice<UInt8>) -> Int64 {
        var value: UInt64 = 0
        for index in 0..<size where report[report.startIndex + (bit + index) / 8] >> UInt8((bit + index) % 8) & 1 != 0 {
            value |= 1 << UInt64(index)
        }
        if range.lowerBound < 0, value >> UInt64(size - 1) & 1 != 0 { value |= ~0 << UInt64(size) }
        return Int64(bitPattern: value)
    }

    /// Returns the active usages: the selected entries of an array, otherwise the usages of nonzero values.
    func usages(in report: ArraySlice<UInt8>) -> [HIDReportDescriptor.Usage] {
        let values = values(in: report)
        if isArray {
            return values.compactMap { value in
                let index = value - range.lowerBound
                return range.contains(value) && index >= 0 && index < usages.count ? usages[Int(index)] : nil
            }
        }
        return values.enumerated().compactMap { index, value in
            value == 0 ? nil : usages.isEmpty ? nil : usages[min(index, usages.count - 1)]
        }
    }
}
