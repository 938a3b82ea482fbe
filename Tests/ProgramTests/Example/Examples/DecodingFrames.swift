import FrameDecoding

enum DecodingFrames {
    static func camera() async throws {
        let camera = try Camera(request: CaptureRequest(size: PixelSize(width: 1920, height: 1080)))
        let decoder = LiveDecoder(FrameDecoder())
        for await frame in camera.frames {
            for symbol in try await decoder.decode(frame).reading.newSymbols {
                print(symbol.symbology, symbol.text)
            }
        }
    }

    static func settings() -> LiveDecoder {
        let settings = FrameDecoder.Settings(
            options: DecodeOptions(symbologies: [.qrCode, .itf], effort: .fast),
            region: FrameRegion("25%,25%,50%,50%"),
            consensus: ConsensusPolicy(needed: 3, of: 5),
            repeatPolicy: RepeatPolicy(absence: .seconds(2)))
        let decoder = LiveDecoder(FrameDecoder(settings: settings))
        return decoder
    }

    static func recording(path: String) throws {
        var recording = try RecordedFrames(path: path)
        var decoder = FrameDecoder()
        var time = Duration.zero
        while let frame = try recording.next() {
            let reading = try decoder.decode(frame.image, at: time, scale: frame.scale)
            for symbol in reading.newSymbols { print(symbol.symbology, symbol.text) }
            time += .seconds(1 / (recording.rate ?? 10))
        }
    }
}
