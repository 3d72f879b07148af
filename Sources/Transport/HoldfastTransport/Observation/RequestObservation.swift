import HTTPTypes
import NIOCore

/// The observation of one request to one server, by metrics and spans.
struct RequestObservation: Sendable {
    let began: NIODeadline
    let metrics: RequestMetrics?
    let trace: RequestTrace?

    /// Records the head of the response.
    func responded(_ response: HTTPResponse, _ facts: ConnectionFacts) {
        trace?.responded(response, facts)
    }

    /// Records the end of the response.
    func ended(_ response: HTTPResponse, at now: NIODeadline) {
        metrics?.answered(response.status.code, after: now - began)
        trace?.ended()
    }

    /// Records a failure of the client or the server.
    func failed(_ error: any Error, at now: NIODeadline) {
        metrics?.failed(error, after: now - began)
        trace?.failed(error)
    }
}
