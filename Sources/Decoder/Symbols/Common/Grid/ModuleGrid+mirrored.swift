extension ModuleGrid {
    /// Returns the modules flipped horizontally, all of them certain.
    func flipped() -> ModuleGrid {
        var result = ModuleGrid(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { result[x, y] = self[width - 1 - x, y] }
        }
        return result
    }

    /// Decodes the modules as they are and, if that fails, mirrored.
    ///
    /// - Parameter mirrored: returns the modules of the same symbol seen from behind; called only if needed.
    /// - Throws: ``MatrixDecodeFailure`` of the attempt that got farther.
    func decodedEitherWay<Message>(
        mirrored: (ModuleGrid) -> ModuleGrid, _ decode: (ModuleGrid) throws(MatrixDecodeFailure) -> Message
    ) throws(MatrixDecodeFailure) -> (message: Message, isMirrored: Bool) {
        let upright: MatrixDecodeFailure
        do {
            return (try decode(self), false)
        } catch {
            upright = error
        }
        do {
            return (try decode(mirrored(self)), true)
        } catch {
            throw error.rank > upright.rank ? error : upright
        }
    }
}
