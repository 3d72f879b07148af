package import Logging

/// The warning about native sessions with a delegate on Linux.
package enum NativeSessionWarning {
    /// The text for logs and errors, with the replacement code.
    package static let hint =
        "On Linux a native URLSession never asks its delegate about a server, so its pins are not checked. Use "
        + "URLSession(pinnedBy: .system(), configuration: .default, delegate: delegate, delegateQueue: nil)."

    /// The logger of the warning.
    @TaskLocal package static var logger = Logger(label: "holdfast.urlsession")
}
