import CFuzzer
import Glibc

@testable import ScanDevices

/// Fuzzes the decoders for the data of scan guns and scales.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }

    /// The framings to test.
    static let framings = [
        ScanFraming(), ScanFraming(maximumLength: 16, hasIdentifier: true),
        ScanFraming(prefix: [0x02], suffix: [0x03], end: .pause(.milliseconds(200)), maximumLength: 64),
    ]
}

/// Decodes the input; the first byte chooses the kind of device, the second its settings.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 2, let start else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    switch start[0] % 4 {
    case 0: line(bytes, Fuzz.framings[Int(start[1]) % Fuzz.framings.count])
    case 1: keys(bytes, layout: Int(start[1]))
    case 2: reports(bytes, descriptorLength: Int(start[1]))
    default: weights(bytes)
    }
    return 0
}

/// Checks that a scan never exceeds its maximum length.
private func check(_ scan: FramedScan?, _ framing: ScanFraming) {
    if case .scan(let scan) = scan {
        precondition(scan.bytes.count <= framing.maximumLength, "a code that is too long")
        if framing.hasIdentifier { precondition(scan.symbologyIdentifier?.utf8.count == 3, "no identifier") }
    }
}

/// Simulates a serial gun: 0xFE advances the time, 0xFD loses input.
private func line(_ bytes: [UInt8], _ framing: ScanFraming) {
    var (decoder, marks, time) = (LineScanDecoder(framing: framing), MarkedBytes(), Duration.zero)
    for byte in bytes {
        switch byte {
        case 0xFE:
            time += .seconds(1)
            check(decoder.advance(to: time), framing)
        case 0xFD: decoder.loseInput(at: time)
        default:
            guard case .byte(let byte) = marks.take(byte) else { continue }
            for scan in decoder.handle([byte], at: time) { check(scan, framing) }
        }
    }
    check(decoder.disconnect(), framing)
    precondition(decoder.deadline == nil, "something waits after the end")
}

/// Simulates a gun in keyboard mode: each two bytes are a key or another event.
private func keys(_ bytes: [UInt8], layout: Int) {
    let framing = ScanFraming(maximumLength: 64)
    let layouts = KeyboardLayout.all
    var decoder = KeyScanDecoder(layout: layouts[layout % layouts.count], framing: framing, separatorKeys: ["f8"])
    var time = Duration.zero
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
        switch bytes[index + 1] {
        case 0xFE:
            time += .seconds(1)
            check(decoder.advance(to: time), framing)
        case 0xFD: decoder.loseInput(at: time)
        case let action:
            guard let action = KeyEvent.Action(rawValue: Int32(action % 3)) else { continue }
            check(decoder.handle(KeyEvent(key: UInt16(bytes[index]), action: action, time: time)), framing)
        }
    }
    check(decoder.disconnect(), framing)
    precondition(decoder.deadline == nil, "something waits after the end")
}

/// Simulates a gun or scale in HID POS mode: a descriptor, then reports of 32 bytes.
private func reports(_ bytes: [UInt8], descriptorLength: Int) {
    let descriptor = HIDReportDescriptor(Array(bytes.prefix(descriptorLength)))
    let framing = ScanFraming(maximumLength: 64)
    var gun = HIDScanDecoder(descriptor, maximumLength: framing.maximumLength)
    let scale = HIDScaleDecoder(descriptor)
    var rest = bytes.dropFirst(descriptorLength)
    var time = Duration.zero
    while !rest.isEmpty {
        let report = Array(rest.prefix(32))
        rest = rest.dropFirst(32)
        time += .milliseconds(bytes.count * 100)
        if let deadline = gun?.deadline, deadline <= time { check(gun?.advance(to: time), framing) }
        check(gun?.handle(report, at: time), framing)
        if case .weight(let reading) = scale?.decode(report) {
            precondition(reading.value.utf8.count <= 32, "the weight has too many digits")
        }
    }
    check(gun?.disconnect(), framing)
}

/// Parses the input as the line of a scale.
private func weights(_ bytes: [UInt8]) {
    for message in SerialScaleProtocol.all.map({ $0.decode(bytes, .kilogram) }) {
        guard case .weight(let reading) = message else { continue }
        precondition(reading.value.utf8.allSatisfy { "-.0123456789".utf8.contains($0) }, "the weight is not a number")
    }
}
