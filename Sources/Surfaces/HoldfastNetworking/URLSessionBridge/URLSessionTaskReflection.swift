#if canImport(FoundationNetworking)
import Dispatch
import FoundationNetworking

/// Reads the private state of FoundationNetworking's tasks by reflection, because there is no public way from a task to
/// its session. No other code does this. `URLSessionCanaryTests` fails if a toolchain changes the layout.
///
/// Missing values are `nil`; a task without a session, or without a record in it, is refused. Use only on the task's
/// work queue.
struct URLSessionTaskReflection {
    /// The session that made the task.
    let session: URLSession?
    /// The queue on which FoundationNetworking accesses the task and on which a protocol's client must be called.
    let workQueue: DispatchQueue?
    /// The task's own delegate: the one that was set, or the one of `data(for:delegate:)`.
    let delegate: (any URLSessionTaskDelegate)?
    /// Whether the response goes to a completion handler or an awaiting caller, which receive only the last part of a
    /// body. `true` if unknown, because a body in one piece is correct in every case.
    let completesOnce: Bool
    /// Whether the session's record of the task was found and has a known type. If not, the task may have a delegate
    /// that would not be asked.
    let isKnown: Bool

    init(_ task: URLSessionTask) {
        let session = Self.child("session", of: task) as? URLSession
        self.session = session
        workQueue = Self.child("workQueue", of: task) as? DispatchQueue
        let behaviour = session.flatMap { Self.child("taskRegistry", of: $0) }
            .flatMap { Self.child("behaviours", of: $0) }
            .flatMap { ($0 as? any TaskTable)?.value(of: task.taskIdentifier) }
            .map { Mirror(reflecting: $0) }
        let handler = behaviour?.children.first
        completesOnce = behaviour == nil || handler != nil
        // A closure, or a tuple of a closure and a delegate, which may be nil.
        let parts = handler.map { Array(Mirror(reflecting: $0.value).children) } ?? []
        let place = parts.first { type(of: $0.value) == Optional<any URLSessionTaskDelegate>.self }
        isKnown = behaviour != nil && (parts.isEmpty || place != nil)
        let given = place?.value as? any URLSessionTaskDelegate
        // A task without its own delegate returns the session's, even if a delegate was given for the task.
        let own = given ?? task.delegate
        delegate = own === session?.delegate ? nil : own
    }

    private static func child(_ label: String, of object: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let level = mirror {
            if let child = level.children.first(where: { $0.label == label }) { return child.value }
            mirror = level.superclassMirror
        }
        return nil
    }
}

/// A dictionary by task number with values of any type.
private protocol TaskTable {
    func value(of task: Int) -> Any?
}

extension Dictionary: TaskTable where Key == Int {
    fileprivate func value(of task: Int) -> Any? { self[task] }
}
#endif
