import CSystemd
import Glibc
import TestSupport

@testable import ScanDevices

/// A private D-Bus daemon.
final class PrivateBus {
    let address: String
    private let folder: TemporaryFolder
    private let daemon: RunningProgram

    init() throws {
        folder = try TemporaryFolder()
        let configuration = """
            <busconfig><type>system</type><listen>unix:path=\(folder["bus"])</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow user="*"/><allow own="*"/><allow send_type="*"/><allow send_destination="*"/>
            <allow receive_type="*"/></policy></busconfig>
            """
        let file = try folder.file("bus.conf", Array(configuration.utf8))
        daemon = try ProgramRunner(executable: "/usr/bin/dbus-daemon").start([
            "--config-file=\(file)", "--nofork", "--nopidfile", "--print-address=1",
        ])
        guard daemon.line() != nil else { throw SystemFailure("dbus-daemon") }
        address = "unix:path=\(folder["bus"])"
    }

    /// Ends it, and all connections to it.
    func end() { daemon.signal(SIGTERM) }

    deinit {
        daemon.signal(SIGKILL)
        _ = try? daemon.end()
    }
}

/// A simulated bluetoothd on a bus: it answers calls and sends signals, on one thread.
final class PlayedService {
    private let bus: OpaquePointer
    private let objects: [String: BusValue]

    /// Starts the service with the given objects.
    init(at address: String, _ objects: [String: BusValue]) throws {
        var opened: OpaquePointer?
        guard sd_bus_new(&opened) >= 0, let opened, sd_bus_set_address(opened, address) >= 0,
            sd_bus_set_bus_client(opened, 1) >= 0, sd_bus_start(opened) >= 0,
            sd_bus_request_name(opened, "org.bluez", 0) >= 0
        else { throw SystemFailure("sd_bus_request_name") }
        bus = opened
        self.objects = objects
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// Answers calls up to the first one of `member`; throws if the bus ends before.
    func serve(until member: String) throws {
        while true {
            var message: OpaquePointer?
            defer { sd_bus_message_unref(message) }
            let result = sd_bus_process(bus, &message)
            guard result >= 0 else { throw SystemFailure("sd_bus_process") }
            if result == 0 { sd_bus_wait(bus, UInt64.max) }
            guard let message, sd_bus_message_is_method_call(message, nil, nil) > 0,
                let called = sd_bus_message_get_member(message).map({ String(cString: $0) })
            else { continue }
            var answer: OpaquePointer?
            defer { sd_bus_message_unref(answer) }
            sd_bus_message_new_method_return(message, &answer)
            if called == "GetManagedObjects" { append(.table(objects), to: answer) }
            sd_bus_send(bus, answer, nil)
            if called == member { return }
        }
    }

    func signal(_ path: String, _ interface: String, _ member: String, _ body: [BusValue]) {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        sd_bus_message_new_signal(bus, &message, path, interface, member)
        for value in body { append(value, to: message) }
        sd_bus_send(bus, message, nil)
    }

    func add(_ path: String, _ interfaces: [String: BusValue]) {
        signal("/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", [.text(path), .table(interfaces)])
    }

    func change(_ path: String, _ interface: String, _ properties: [String: BusValue]) {
        signal(
            path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [.text(interface), .table(properties), .list([])])
    }

    // MARK: values

    private func signature(_ value: BusValue) -> String {
        switch value {
        case .flag: "b"
        case .number: "x"
        case .text: "s"
        case .bytes: "ay"
        case .list: "as"
        case .table: "a{sv}"
        }
    }

    private func append(_ value: BusValue, to message: OpaquePointer?) {
        func code(_ letter: Unicode.Scalar) -> CChar { CChar(letter.value) }
        switch value {
        case .flag(let flag):
            var number: Int32 = flag ? 1 : 0
            sd_bus_message_append_basic(message, code("b"), &number)
        case .number(var number): sd_bus_message_append_basic(message, code("x"), &number)
        case .text(let text): _ = text.withCString { sd_bus_message_append_basic(message, code("s"), $0) }
        case .bytes(let bytes): sd_bus_message_append_array(message, code("y"), bytes, bytes.count)
        case .list(let list):
            sd_bus_message_open_container(message, code("a"), "s")
            for value in list { append(value, to: message) }
            sd_bus_message_close_container(message)
        case .table(let table):
            sd_bus_message_open_container(message, code("a"), "{sv}")
            for (key, value) in table {
                sd_bus_message_open_container(message, code("e"), "sv")
                append(.text(key), to: message)
                sd_bus_message_open_container(message, code("v"), signature(value))
                append(value, to: message)
                sd_bus_message_close_container(message)
                sd_bus_message_close_container(message)
            }
            sd_bus_message_close_container(message)
        }
    }
}
