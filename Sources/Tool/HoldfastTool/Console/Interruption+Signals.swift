import Dispatch
import HoldfastSystem
import Synchronization

extension Interruption {
    /// The signals that interrupt a command.
    static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// The sources of this process. Created once: setting a signal's action a second time removes the handler through
    /// which libdispatch detects the signal.
    private static let sources = Mutex<[any DispatchSourceSignal]>([])

    /// Connects ``process`` to this process's signals. SIGHUP stays ignored if the parent ignores it, as `nohup` does.
    /// Writing to a closed pipe becomes an error and does not end the process.
    static func install() {
        sources.withLock { sources in
            guard sources.isEmpty else { return }
            signal(SIGPIPE, SIG_IGN)
            sources = signals.filter { !($0 == SIGHUP && isIgnored($0)) }.map { number in
                #if canImport(Darwin)
                // kqueue detects a signal independently of its action; the action must not end the process.
                signal(number, SIG_IGN)
                #else
                // libdispatch sets its own handler. A parent may have ignored or blocked the signal.
                signal(number, SIG_DFL)
                #endif
                unblock(number)
                let source = DispatchSource.makeSignalSource(signal: number, queue: process.queue)
                source.setEventHandler { process.handle(.signal(number)) }
                source.resume()
                return source
            }
        }
    }

    /// Returns whether the signal is ignored.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Ends the process by the signal, unless the signal cannot end it.
    fileprivate static func raiseDefault(_ number: Int32) {
        signal(number, SIG_DFL)
        unblock(number)
        raise(number)
    }

    /// Unblocks the signal in this thread.
    private static func unblock(_ number: Int32) {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Interrupts ``process`` when the other end of the pipe at standard output is closed. Does nothing if standard
    /// output is not a pipe.
    static func watchOutput() {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
        let thread = DispatchQueue(label: "holdfast.output")
        thread.async {
            var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            var result: Int32
            repeat { result = poll(&descriptor, 1, -1) } while result < 0 && errno == EINTR
            if result > 0, descriptor.revents & Int16(POLLERR | POLLHUP) != 0 { process.handle(.outputClosed) }
        }
    }
}

extension Interruption.Cause {
    /// Ends the process at once: by the signal itself, so that the parent sees it. Removes temporary folders.
    func endProcess() -> Never {
        WorkFolder.removeAll()
        switch self {
        case .outputClosed: _exit(ToolStatus.unusableInput.rawValue)
        case .signal(let number):
            Interruption.raiseDefault(number)
            // The signal cannot end this process: exit with the status that a shell would report.
            _exit(128 + number)
        }
    }
}
