internal import BarcodeCore
internal import BarcodeDecoding
internal import BenchCore

/// Frames of a camera, handed to the library as pixels.
final class FrameMeasure: Measure {
    let title = "camera frames"

    private struct Film {
        var scene: FrameScene
        var effort: DecodeOptions.Effort
        var recorder = LatencyRecorder()
        var complete = 0
    }

    private let settings: RunSettings
    private var films: [Film]
    private var floors: [String: TimedTask]

    init(_ scenes: [FrameScene], settings: RunSettings) throws {
        self.settings = settings
        films = scenes.flatMap { scene in
            [DecodeOptions.Effort.fast, .normal].map { Film(scene: scene, effort: $0) }
        }
        floors = [:]
        for scene in scenes {
            guard let picture = scene.frames.first?.picture else { continue }
            floors[picture.name] = try TimedTask { try Floor.decode(picture.path) }
        }
    }

    func measure(round: Int) throws {
        for (_, floor) in floors { try floor.spend(nanoseconds: settings.slice, round: round) }
        for index in films.indices {
            let options = DecodeOptions(effort: films[index].effort)
            var complete = 0
            for frame in films[index].scene.frames {
                let (nanoseconds, processor, symbols) = try Timing.measure {
                    try BarcodeDecoder().decode(frame.image, options: options)
                }
                films[index].recorder.record(nanoseconds: nanoseconds, processor: processor, round: round)
                let score = Score(
                    symbols.map { FoundSymbol($0) }, against: frame.picture.truth, kind: frame.picture.kind)
                if let score, score.missed == 0, score.misread == 0 { complete += 1 }
            }
            films[index].complete = complete
        }
    }

    func report(to results: inout Results) {
        for (name, floor) in floors { results.floors[name] = floor.recorder.latency }
        for film in films {
            guard let latency = film.recorder.latency, let frame = film.scene.frames.first else { continue }
            results.measurements.append(
                Results.Measurement(
                    measure: "frame", name: "\(film.scene.name)_\(film.effort)", subject: film.scene.size,
                    state: "warm", megapixels: Double(frame.image.pixelCount) / 1e6, latency: latency,
                    floor: floors[frame.picture.name]?.recorder.latency?.p50, complete: film.complete,
                    outOf: film.scene.frames.count))
        }
    }
}
