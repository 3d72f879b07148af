package import Logging

/// Says what a native session does not do on Linux.
package enum NativeSessionWarning {
    /// The sentence for logs and errors, with the line that helps.
    package static let hint =
        "On Linux a native URLSession never asks its delegate about a server, so its pins are not checked. Use "
        + "URLSession(pinnedBy: .system(), configuration: .default, delegate: delegate, delegateQueue: nil)."

    /// Where sessions with a delegate are warned about.
    @TaskLocal package static var logger = Logger(label: "holdfast.urlsession")
}
