internal import BarcodeCore

/// The shifts of a symbol's modules from a homography, on a sheet that is not flat.
protocol ModuleShifts {
    /// Returns the shift at a point, both in modules.
    func shift(_ x: Double, _ y: Double) -> Point
}

extension ModuleShifts {
    /// Returns the corners of a shifted symbol in pixels.
    func quadrilateral(_ map: Homography, width: Int, height: Int) -> Quadrilateral {
        func corner(_ x: Int, _ y: Int) -> Point {
            let shift = shift(Double(x), Double(y))
            return map.map(Double(x) + shift.x, Double(y) + shift.y)
        }
        return Quadrilateral(
            topLeft: corner(0, 0), topRight: corner(width, 0), bottomRight: corner(width, height),
            bottomLeft: corner(0, height))
    }
}
