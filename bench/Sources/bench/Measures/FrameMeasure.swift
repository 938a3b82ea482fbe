internal import BarcodeCore
internal import FrameDecoding

/// Camera frames in sequence, from pixels to codes: the library's frame decoder, and alternately every other reader
/// on the same frames.
final class FrameMeasure: Measure {
    let title = "camera frames"

    private struct Film {
        var scene: FrameScene
        /// The recorders, by reader.
        var recorders: [LatencyRecorder]
        var complete: [Int]
    }

    private let settings: RunSettings
    private let efforts: [DecodeOptions.Effort] = [.fast, .normal]
    private let peers: [any Reader]
    private var films: [Film]
    private var floors: [String: TimedTask]

    private var names: [String] { efforts.map { Self.name($0) } + peers.map(\.name) }

    /// - Parameter peers: readers that load each frame from its JPEG file, which is not counted.
    init(_ scenes: [FrameScene], peers: [any Reader], settings: RunSettings) throws {
        self.settings = settings
        self.peers = peers
        let count = efforts.count + peers.count
        films = scenes.map {
            Film(
                scene: $0, recorders: Array(repeating: LatencyRecorder(), count: count),
                complete: Array(repeating: 0, count: count))
        }
        floors = [:]
        for scene in scenes {
            guard let picture = scene.frames.first?.picture else { continue }
            for peer in peers { _ = try peer.read(picture) }
            floors[picture.name] = try TimedTask { try Floor.decode(picture.path) }
        }
    }

    private static func name(_ effort: DecodeOptions.Effort) -> String {
        QuietzoneReader(effort: effort).name
    }

    func measure(round: Int) throws {
        for (_, floor) in floors { try floor.spend(nanoseconds: settings.slice, round: round) }
        for film in films.indices {
            films[film].complete = films[film].complete.map { _ in 0 }
            // A new decoder for each round, as for a camera that was just opened.
            var decoders = efforts.map { FrameDecoder(settings: .init(options: DecodeOptions(effort: $0))) }
            for (index, frame) in films[film].scene.frames.enumerated() {
                let time = Duration.milliseconds(index * 1000 / FrameScene.rate)
                for place in names.indices {
                    let reader = (place + round + index) % names.count
                    guard reader >= decoders.count else {
                        let (nanoseconds, processor, reading) = try Timing.measure {
                            try decoders[reader].decode(frame.image, at: time)
                        }
                        films[film].recorders[reader].record(
                            nanoseconds: nanoseconds, processor: processor, round: round)
                        note(reading.symbols.map { FoundSymbol($0) }, of: frame, reader: reader, film: film)
                        continue
                    }
                    let answer = try peers[reader - decoders.count].read(frame.picture)
                    films[film].recorders[reader].record(
                        nanoseconds: answer.nanoseconds - (answer.loadNanoseconds ?? 0), round: round)
                    note(answer.symbols, of: frame, reader: reader, film: film)
                }
            }
        }
    }

    private func note(_ symbols: [FoundSymbol], of frame: FrameScene.Frame, reader: Int, film: Int) {
        let score = Score(symbols, against: frame.picture.truth, kind: frame.picture.kind)
        if let score, score.missed == 0, score.misread == 0 { films[film].complete[reader] += 1 }
    }

    func report(to results: inout Results) {
        for (name, floor) in floors { results.floors[name] = floor.recorder.latency }
        for film in films {
            for (reader, name) in names.enumerated() {
                guard let latency = film.recorders[reader].latency, let frame = film.scene.frames.first else {
                    continue
                }
                results.measurements.append(
                    Results.Measurement(
                        measure: "frame", name: film.scene.name, reader: name, subject: film.scene.size,
                        state: "warm", megapixels: Double(frame.image.pixelCount) / 1e6, latency: latency,
                        floor: floors[frame.picture.name]?.recorder.latency?.p50, complete: film.complete[reader],
                        outOf: film.scene.frames.count))
            }
        }
    }
}
