/// Polls a condition until it holds; false after a timeout that is long enough even for a busy machine.
package func eventually(within seconds: Double = 240, _ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(20))
    }
    return false
}
