import VideoCapture

/// The output of `--list`.
enum CameraListing {
    /// Describes a camera with its modes and controls.
    static func text(_ camera: CameraDescription) -> String {
        var lines = ["\(camera.node.path): \(camera.card) (\(camera.driver))"]
        lines += camera.node.stablePaths.map { "    \($0)" }
        lines.append("  formats")
        var formats: [PixelFormat] = []
        for mode in camera.modes where !formats.contains(mode.pixelFormat) { formats.append(mode.pixelFormat) }
        for format in formats {
            let isReadable = PixelFormat.preferred.contains(format)
            lines.append("    \(format)\(isReadable ? "" : " (cannot be read)")")
            for mode in camera.modes where mode.pixelFormat == format {
                let rates = mode.rates.map(number).joined(separator: ", ")
                lines.append("      \(mode.size)\(rates.isEmpty ? "" : " at \(rates) frames/s")")
            }
        }
        lines.append("  controls")
        lines += camera.controls.map { "    \(text($0))" }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ control: CameraControl) -> String {
        var text = "\(control.name)"
        text += control.value.map { "=\($0)" } ?? ""
        text += " (\(control.range.lowerBound) to \(control.range.upperBound)"
        if control.step > 1 { text += " in steps of \(control.step)" }
        text += ", default \(control.defaultValue))"
        if !control.isSettable { text += " switched off" }
        if !control.menu.isEmpty {
            text +=
                ": " + control.menu.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
        return text
    }

    private static func number(_ value: Double) -> String {
        let hundredths = (value * 100).rounded() / 100
        return hundredths == hundredths.rounded() ? "\(Int(hundredths))" : "\(hundredths)"
    }
}
