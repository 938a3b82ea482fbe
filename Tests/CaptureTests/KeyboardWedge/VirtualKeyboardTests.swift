import Testing

@testable import ScanDevices

/// Stopping a keyboard in the middle of a text; `scripts/test-vm keyboard` tests the kernel's view of the keys.
@Suite struct VirtualKeyboardTests {
    /// Returns the keys sent, and the ending, if typing is allowed `allowed` times.
    private func typed(
        _ text: String, allowed: Int
    ) throws -> (sent: [KeyPlan.Action], ending: VirtualKeyboard.Ending) {
        let actions = try KeyPlan(.us).actions(for: text, isCapital: false)
        var left = allowed
        var sent: [KeyPlan.Action] = []
        let obstacle: () -> String? = {
            left -= 1
            return left < 0 ? "switched off" : nil
        }
        let ending = try VirtualKeyboard.perform(actions, until: obstacle) { (action) throws(VirtualKeyboard.Failure) in
            sent.append(action)
        }
        return (sent, ending)
    }

    @Test func itStopsWithinAText() throws {
        #expect(try typed("ab", allowed: 9).ending == .whole)
        #expect(try typed("ab", allowed: 9).sent.count == 4)
        let nothing = try typed("ab", allowed: 0)
        #expect(nothing.sent.isEmpty && nothing.ending == .nothing("switched off"))
        let part = try typed("ab", allowed: 1)
        #expect(part.sent.count == 2 && part.ending == .part("switched off"))
    }

    /// A letter with Shift is typed completely, even if typing is stopped between its keys.
    @Test func noKeyStaysDown() throws {
        for allowed in 0...8 {
            let (sent, _) = try typed("AbC", allowed: allowed)
            for key in Set(sent.map(\.key)) {
                #expect(sent.count { $0.key == key && $0.isDown } == sent.count { $0.key == key && !$0.isDown })
            }
        }
        #expect(try typed("A", allowed: 1).ending == .whole)
    }
}
