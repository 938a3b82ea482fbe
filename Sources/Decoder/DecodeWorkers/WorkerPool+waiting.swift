internal import BarcodeCore
package import DecodeReports

extension WorkerPool {
    /// Decodes one image, and blocks the thread until its report is there.
    ///
    /// It must be none of the threads of Swift's shared pool, on which the workers are served.
    package func decodeAndWait(_ request: WorkerRequest) -> DecodeReport {
        let reports = JobQueue<DecodeReport>()
        Task {
            reports.add(await decode(request))
            reports.close()
        }
        return reports.next() ?? DecodeReport(source: request.name, error: .cancelled)
    }
}
