import HTTPTypes
import NIOCore

/// One request on its way to one server, as metrics and spans see it.
struct RequestObservation: Sendable {
    let began: NIODeadline
    let metrics: RequestMetrics?
    let trace: RequestTrace?

    /// The head of the response has come.
    func responded(_ response: HTTPResponse, _ facts: ConnectionFacts) {
        trace?.responded(response, facts)
    }

    /// The request and its whole response are done.
    func ended(_ response: HTTPResponse, at now: NIODeadline) {
        metrics?.answered(response.status.code, after: now - began)
        trace?.ended()
    }

    /// It has failed, on this side or on the other.
    func failed(_ error: any Error, at now: NIODeadline) {
        metrics?.failed(error, after: now - began)
        trace?.failed(error)
    }
}
