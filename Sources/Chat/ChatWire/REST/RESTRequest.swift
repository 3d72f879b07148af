/// A call of the REST interface as a value; `ChatDialect` gives it its path.
package enum RESTRequest: Hashable, Sendable {
    case configuration(appMarker: String?, apiVersion: Int64)
    case history(HistoryRequest)
    case unread
    /// `page` counts from 0.
    case search(query: String, page: Int64, size: Int64)
    /// Deletes the caller's device after a logout, so that the server sends no more pushes to it.
    case deleteDevice
}
