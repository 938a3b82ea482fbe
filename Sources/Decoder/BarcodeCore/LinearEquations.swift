/// Systems of linear equations.
package enum LinearEquations {
    /// Solves equations by Gaussian elimination with partial pivoting; `nil` for singular equations.
    ///
    /// - Parameter rows: the equations, each with its right side as the last element.
    package static func solve(_ rows: [[Double]]) -> [Double]? {
        var rows = rows
        let count = rows.count
        for column in 0..<count {
            guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-12
            else { return nil }
            rows.swapAt(column, pivot)
            for row in 0..<count where row != column {
                let factor = rows[row][column] / rows[column][column]
                if factor != 0 {
                    for place in column...count { rows[row][place] -= factor * rows[column][place] }
                }
            }
        }
        return (0..<count).map { rows[$0][count] / rows[$0][$0] }
    }
}
