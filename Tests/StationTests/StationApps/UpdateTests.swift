import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import StationApps

/// Updates to newer versions, and the reasons against them.
@Suite struct UpdateTests {
    private let ward = AppName(rawValue: "ward")!

    private func start(key: SigningKey? = nil) async throws -> TestStore {
        let test = try TestStore()
        try test.server.publish("1.9", package(("index.html", "1.9")), key: key)
        var settings = InstalledApp.Settings()
        settings.key = try key.map { try AppKey(pem: $0.publicPEM) }
        _ = try await test.updater.add(FakeServer.info, as: nil, sha256: nil, settings: settings)
        return test
    }

    @Test func aNewerVersionIsTaken() async throws {
        let test = try await start()
        #expect(try await test.updater.update(test.store.app(ward)) == .current)
        try test.server.publish("1.10", package(("index.html", "1.10")))
        guard case .installed(let app) = try await test.updater.update(test.store.app(ward)) else {
            Issue.record("not installed")
            return
        }
        #expect(app.current.number == "1.10" && app.previous?.number == "1.9")
        #expect(test.page() == "1.10")
        // A version that was rolled back is not installed again; a newer one is.
        try test.store.rollBack(ward)
        #expect(try await test.updater.update(test.store.app(ward)) == .rejected(version: "1.10"))
        #expect(test.page() == "1.9")
        try test.server.publish("1.9.5", package(("index.html", "1.9.5")))
        await #expect(throws: AppError.self) { try await test.updater.update(test.store.app(ward)) }
        try test.server.publish("1.11", package(("index.html", "1.11")))
        _ = try await test.updater.update(test.store.app(ward))
        #expect(test.page() == "1.11")
    }

    struct Change: Sendable, CustomStringConvertible {
        var description: String
        var code: AppError.Code
        var apply: @Sendable (inout AppInfo) -> Void

        init(_ description: String, _ code: AppError.Code, _ apply: @escaping @Sendable (inout AppInfo) -> Void) {
            (self.description, self.code, self.apply) = (description, code, apply)
        }
    }

    @Test(arguments: [
        Change("a wrong hash", .mismatch) { $0.sha256 = String(repeating: "0", count: 64) },
        Change("a wrong size", .mismatch) { $0.size += 1 },
        Change("an older version", .older) { $0.version = "1.8" },
        Change("the same version with other content", .older) { $0.version = "1.9.0" },
        Change("another app", .mismatch) { $0.name = "pharmacy" },
        Change("no version", .invalid) { $0.version = "newest" },
        Change("no hash", .invalid) { $0.sha256 = "abc" },
        Change("a package at another protocol", .invalid) { $0.url = "file:///etc/passwd" },
        Change("a missing package", .unreachable) { $0.url = "other.zip" },
        Change("too large", .tooLarge) { $0.size = 1 << 40 },
        Change("a negative size", .invalid) { $0.size = -1 },
    ])
    func aVersionIsRefused(_ change: Change) async throws {
        let test = try await start()
        try test.server.publish("2.0", package(("index.html", "2.0")), change: change.apply)
        let before = test.files
        await #expect {
            try await test.updater.update(test.store.app(ward))
        } throws: {
            ($0 as? AppError)?.code == change.code
        }
        #expect(test.page() == "1.9")
        #expect(test.files == before)
    }

    @Test func faultsOfTheServer() async throws {
        let test = try await start()
        try test.server.publish("2.0", package(("index.html", "2.0")))
        let package = FakeServer.base + "ward-2.0.zip"
        let gone = AppError(.unreachable, "nobody answers")
        let before = test.files
        for (label, fault) in [
            ("down", { $0.failures[FakeServer.info] = gone }),
            ("down for the package", { $0.failures[package] = gone }),
            ("half a download", { $0.breaks[package] = 60 }),
            ("half of info.json", { $0.breaks[FakeServer.info] = 20 }),
            ("no JSON", { $0.files[FakeServer.info] = Array("<html>".utf8) }),
            ("sign in", { $0.failures[FakeServer.info] = AppError(.signInNeeded, "401") }),
            ("another package", { $0.files[package] = [1, 2, 3] }),
        ] as [(String, (inout FakeServer.State) -> Void)] {
            let whole = test.server.state.withLock { state in
                let whole = state
                fault(&state)
                return whole
            }
            await #expect(throws: AppError.self, "\(label)") { try await test.updater.update(test.store.app(ward)) }
            #expect(test.page() == "1.9", "\(label)")
            #expect(test.files == before, "\(label)")
            test.server.state.withLock { $0 = whole }
        }
        _ = try await test.updater.update(test.store.app(ward))
        #expect(test.page() == "2.0")
    }

    @Test(arguments: [
        ("ward.zip", "the package is not a zip archive"), ("ward.txt", "the name of a package ends in .zip"),
    ])
    func fileThatIsNoPackage(_ name: String, _ sentence: String) async throws {
        let test = try TestStore()
        test.server[name] = Array("no package, which is longer than the end of an archive".utf8)
        let place = FakeServer.base + name
        await #expect {
            try await test.updater.add(place, as: nil, sha256: nil, settings: .init())
        } throws: {
            let error = $0 as? AppError
            return error?.code == .invalid && error?.description.hasPrefix("\(place): ") == true
                && error?.description.contains(sentence) == true
        }
    }

    @Test func signatures() async throws {
        let key = SigningKey()
        let test = try await start(key: key)
        let new = package(("index.html", "2.0"))
        for (label, other, change) in [
            ("none", nil, { _ in }), ("another's", SigningKey(), { _ in }),
            ("of another version", key, { $0.version = "3.0" }), ("of another name", key, { $0.name = "pharmacy" }),
            ("of no signature", key, { $0.signature = "x" }),
        ] as [(String, SigningKey?, (inout AppInfo) -> Void)] {
            try test.server.publish("2.0", new, key: other, change: change)
            await #expect(throws: AppError.self, "\(label)") { try await test.updater.update(test.store.app(ward)) }
            #expect(test.page() == "1.9", "\(label)")
        }
        try test.server.publish("2.0", new, key: key)
        _ = try await test.updater.update(test.store.app(ward))
        #expect(test.page() == "2.0")
        // Adding the app again without the key must not disable the signature check by mistake.
        test.server["ward.zip"] = new
        try test.server.publish("2.1", new)
        for place in [FakeServer.info, FakeServer.base + "ward.zip"] {
            await #expect("\(place)") {
                try await test.updater.add(place, as: nil, sha256: nil, settings: .init())
            } throws: {
                ($0 as? AppError)?.code == .mismatch
            }
            #expect(test.page() == "2.0")
        }
        try test.server.publish("2.1", new, key: key)
        _ = try await test.updater.add(FakeServer.info, as: nil, sha256: nil, settings: .init())
        #expect(try test.store.app(ward).settings.key != nil)
        for pem in ["", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "ssh-ed25519 AAAA"] {
            #expect(throws: AppError.self, "\(pem)") { try AppKey(pem: pem) }
        }
    }

    @Test func whatIsNotChosenAnewStays() async throws {
        let test = try await start()
        let first = ["https://oa.example"]
        for (origins, signIn, expected) in [
            (first, "login.html", (first, "login.html")), ([], nil, (first, "login.html")),
            (["https://lab.example"], nil, (["https://lab.example"], "login.html")),
            ([], "in.html", (["https://lab.example"], "in.html")),
        ] as [([String], String?, ([String], String))] {
            var settings = InstalledApp.Settings()
            (settings.origins, settings.signIn) = (origins, signIn)
            let app = try await test.updater.add(FakeServer.info, as: nil, sha256: nil, settings: settings)
            #expect(app.settings.origins == expected.0 && app.settings.signIn == expected.1)
            #expect(app.settings.source == FakeServer.info)
        }
    }

    @Test func packagesThatAreHandedOver() async throws {
        let test = try TestStore()
        test.server["Ward Map.zip"] = package(("index.html", "map"))
        let place = FakeServer.base + "Ward Map.zip"
        let app = try await test.updater.add(place, as: nil, sha256: nil, settings: .init())
        #expect(app.name.rawValue == "ward-map" && app.settings.source == nil)
        #expect(try await test.updater.update(app) == .current)
        await #expect {
            try await test.updater.add(place, as: ward, sha256: String(repeating: "0", count: 64), settings: .init())
        } throws: { ($0 as? AppError)?.code == .mismatch }
        #expect(test.page(of: "ward") == nil)
    }

    @Test func placesOfPackages() throws {
        for (place, source, expected) in [
            ("a.zip", "https://oa.example/x/info.json", "https://oa.example/x/a.zip"),
            ("/a.zip", "https://oa.example/x/info.json", "https://oa.example/a.zip"),
            ("https://cdn.example/a.zip", "https://oa.example/x/info.json", "https://cdn.example/a.zip"),
            ("a.zip", "/media/usb/info.json", "/media/usb/a.zip"),
            ("http://cdn.example/a.zip", "https://oa.example/x/info.json", nil),
            ("https://cdn.example/a.zip", "/media/usb/info.json", nil), ("/etc/a.zip", "/media/usb/info.json", nil),
        ] {
            #expect((try? AppUpdater.resolve(place, against: source)) == expected, "\(place)")
        }
    }
}
