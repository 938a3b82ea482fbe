internal import CLinux
internal import Glibc

/// A control of a camera, such as its focus.
public struct CameraControl: Sendable, Hashable {
    /// The name of the control: the driver's, in lower case with underscores, such as `focus_absolute`.
    public var name: String
    /// The range of valid values.
    public var range: ClosedRange<Int>
    /// The step between two valid values.
    public var step: Int
    /// The default value of the driver.
    public var defaultValue: Int
    /// The current value; `nil` if it cannot be read.
    public var value: Int?
    /// The names of the values of a menu; empty for other controls.
    public var menu: [Int: String]
    /// Indicates whether the control can be set now; for example, autofocus disables the manual focus.
    public var isSettable: Bool

    let identifier: UInt32
}

/// A value for a control.
public struct ControlSetting: Sendable, Hashable {
    /// The name of the control, see ``CameraControl/name``.
    public var name: String
    /// The value.
    public var value: Int

    /// Sets `name` to `value`.
    public init(name: String, value: Int) {
        self.name = name
        self.value = value
    }
}

extension CaptureDevice {
    /// Returns the controls with a numeric value, in the order of the driver.
    public borrowing func controls() -> [CameraControl] {
        var found: [CameraControl] = []
        var query = v4l2_queryctrl()
        query.id = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        // Guards against a driver that repeats itself.
        for _ in 0..<1024 {
            guard control(qz_v4l2_queryctrl, &query) == 0 else { break }
            if let one = describe(query) { found.append(one) }
            query.id |= UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        }
        return found
    }

    private borrowing func describe(_ query: v4l2_queryctrl) -> CameraControl? {
        let kinds = [
            V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU,
            V4L2_CTRL_TYPE_BUTTON,
        ]
        guard kinds.contains(where: { $0.rawValue == query.type }), query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0
        else { return nil }
        let isButton = query.type == V4L2_CTRL_TYPE_BUTTON.rawValue
        let low = Int(query.minimum)
        var value: Int?
        if !isButton, query.flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) == 0 {
            var current = v4l2_control(id: query.id, value: 0)
            if control(qz_v4l2_g_ctrl, &current) == 0 { value = Int(current.value) }
        }
        let blocked = UInt32(V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_INACTIVE | V4L2_CTRL_FLAG_GRABBED)
        return CameraControl(
            name: Self.plainName(text(of: query.name)),
            // A button is pressed by setting it to one.
            range: isButton ? 1...1 : low...max(low, Int(query.maximum)), step: max(1, Int(query.step)),
            defaultValue: Int(query.default_value), value: value, menu: menu(of: query),
            isSettable: query.flags & blocked == 0, identifier: query.id)
    }

    private borrowing func menu(of query: v4l2_queryctrl) -> [Int: String] {
        guard query.type == V4L2_CTRL_TYPE_MENU.rawValue, query.minimum <= query.maximum else { return [:] }
        var names: [Int: String] = [:]
        for index in query.minimum...min(query.maximum, query.minimum + 255) {
            var entry = v4l2_querymenu()
            entry.id = query.id
            entry.index = UInt32(clamping: index)
            if control(qz_v4l2_querymenu, &entry) == 0 { names[Int(index)] = text(of: entry.name) }
        }
        return names
    }

    /// Sets a control by its name.
    ///
    /// - Throws: ``CaptureError`` with the code `bad_control` if the control does not exist, if the value is out of
    ///   range, or if the driver refuses it.
    public borrowing func set(_ name: String, to value: Int) throws(CaptureError) {
        let known = controls()
        guard let found = known.first(where: { $0.name == Self.plainName(name) }) else {
            let names = known.isEmpty ? "none" : known.map(\.name).joined(separator: ", ")
            throw CaptureError(.badControl, "has no control '\(name)'; it has: \(names)", subject: path)
        }
        guard found.range.contains(value) else {
            throw CaptureError(
                .badControl,
                "\(found.name) takes \(found.range.lowerBound) to \(found.range.upperBound), not \(value)",
                subject: path)
        }
        guard (value - found.range.lowerBound) % found.step == 0 else {
            throw CaptureError(
                .badControl,
                "\(found.name) takes \(found.range.lowerBound) and steps of \(found.step) above it, not \(value)",
                subject: path)
        }
        var argument = v4l2_control(id: found.identifier, value: Int32(clamping: value))
        let answer = control(qz_v4l2_s_ctrl, &argument)
        guard answer != -ENODEV else {
            throw CaptureError(errno: ENODEV, doing: "set \(found.name)", subject: path)
        }
        guard answer == 0 else {
            let reason = found.isSettable ? String(cString: strerror(-answer)) : "another control disables it"
            throw CaptureError(.badControl, "\(found.name) cannot be set to \(value): \(reason)", subject: path)
        }
    }

    /// Returns the driver's name in lower case with underscores: `Focus, Absolute` becomes `focus_absolute`.
    static func plainName(_ name: String) -> String {
        name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
    }
}
