import HoldfastBase
import HoldfastFormats
import HoldfastSystem
package import HoldfastTrust

/// Checks the policies, property lists and folders of certificates of a package.
package struct PackageLinter {
    /// The findings, and what was checked.
    package struct Outcome {
        /// The findings in all files. It is strict if the configuration says so.
        package let report: LintReport
        /// Whether there is no error and no warning, and in strict mode no note.
        package var passes: Bool { report.isClean }
        /// The checked files and folders, relative to the package.
        package let checked: [String]
    }

    private let folder: String
    private let scope: [String]
    private let times: LintTimes
    private let strict: Bool
    private let roots: [CertificateView]

    /// Creates a linter.
    ///
    /// - Parameters:
    ///   - folder: The package's folder, with or without its configuration.
    ///   - scope: Folders of the package, relative to it or below its path. Only their files are checked; an empty list
    ///     means all files.
    ///   - times: The time of the check. A notice here replaces that of the configuration.
    ///   - strict: Whether a note is a reason to fail, in addition to the configuration.
    ///   - roots: The machine's roots, which no policy should pin.
    package init(
        folder: String, scope: [String] = [], times: LintTimes, strict: Bool = false,
        roots: [CertificateView] = FileLinter.systemRoots()
    ) {
        self.folder = PackagePath.withoutSlash(folder)
        self.scope = scope.map(PackagePath.withoutSlash)
        self.times = times
        self.strict = strict
        self.roots = roots
    }

    /// Checks the package. Throws one sentence for each reason why it cannot be checked: an invalid configuration, a
    /// path that does not exist, a file that cannot be read, or nothing to check. Blocks the calling thread.
    package func outcome() throws(LintFailure) -> Outcome {
        let configuration = try LintConfiguration.load(folder: folder)
        let inventory = try PackageFiles(folder: folder)
        let items = try scoped(try selected(from: inventory, configuration))
        guard !items.isEmpty else {
            throw LintFailure(
                "there is nothing to check in '\(Printable.text(folder))': it has no file with pins that the search "
                    + "recognizes. Name the files or the folders of certificates in \(LintConfiguration.fileName)")
        }
        let times = LintTimes(time: times.time, days: times.days ?? configuration.withinDays)
        var report = LintReport(isStrict: strict || configuration.strict)
        for item in items {
            let path = shown(item)
            // Each file has its own linter, because several apps of a package may need different transport security.
            var linter = FileLinter(format: PinFile.format(of: item), times: times, roots: roots)
            do {
                try linter.check(path, &report) { try LintInput.read($0, limit: $1) }
            } catch let error as LintFailure {
                throw error
            } catch {
                throw LintFailure("cannot check '\(Printable.text(path))': \(error)")
            }
        }
        return Outcome(report: report, checked: items)
    }

    /// Returns the files and the folders of certificates that the configuration selects.
    private func selected(
        from inventory: PackageFiles, _ configuration: LintConfiguration
    ) throws(LintFailure) -> [String] {
        func isIncluded(_ path: String) -> Bool { !configuration.exclude.contains { $0.covers(path) } }
        var missing: [String] = []
        func matches(_ patterns: [PathPattern], in paths: [String], _ kind: String) -> [String] {
            var found: Set<String> = []
            for pattern in patterns {
                let matching = paths.filter { pattern.matches($0) }
                if matching.isEmpty {
                    missing.append(
                        "\(LintConfiguration.fileName): \"\(Printable.text(pattern.text))\" does not match any \(kind) of "
                            + "the package; hidden files and links are not searched")
                }
                found.formUnion(matching.filter(isIncluded))
            }
            return found.sorted()
        }
        let folders = matches(configuration.certificates, in: inventory.folders, "folder")
        let files = inventory.files.filter { $0 != LintConfiguration.fileName }
        let named = configuration.files.map { matches($0, in: files, "file") }
        guard missing.isEmpty else { throw LintFailure(missing) }
        if let named { return named + folders }
        var found: [String] = []
        for file in files where isIncluded(file) {
            if try hasPins(file) { found.append(file) }
        }
        return found + folders
    }

    /// Returns whether a file has pins, by its name and its contents. Large files are not policies.
    private func hasPins(_ file: String) throws(LintFailure) -> Bool {
        if PinFile.format(of: file) != nil { return true }
        guard PinFile.mayContain(file),
            let identity = FileIdentity(path: shown(file)), identity.stamp.size <= PolicyFormats.sizeLimit
        else { return false }
        return PinFile.contains(file, try LintInput.read(shown(file), limit: PolicyFormats.sizeLimit))
    }

    private func scoped(_ items: [String]) throws(LintFailure) -> [String] {
        guard !scope.isEmpty else { return items }
        var folders: [String] = []
        for entry in scope {
            guard let relative = PackagePath.relative(entry, to: folder) else {
                throw LintFailure("'\(Printable.text(entry))' is not a folder of '\(Printable.text(folder))'")
            }
            folders.append(relative)
        }
        return items.filter { item in
            folders.contains { $0.isEmpty || item == $0 || item.hasPrefix($0 + "/") }
        }
    }

    /// Returns the path of an item as the findings show it.
    private func shown(_ item: String) -> String { folder == "." ? item : folder + "/" + item }
}

/// Paths of a package.
enum PackagePath {
    /// Returns whether there is a file, a folder or a link at the path.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return !path.utf8.contains(0) && lstat(path, &status) == 0
    }

    /// Returns a path without the slashes at its end; `.` for an empty path.
    static func withoutSlash(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path.isEmpty ? "." : path
    }

    /// Returns the path of a folder relative to a package; `nil` if it is not a folder of the package. An absolute path
    /// must begin with that of the package.
    static func relative(_ path: String, to folder: String) -> String? {
        if path == folder || path == "." { return "" }
        let inside = path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
        let names = inside.split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), exists(folder + "/" + inside) else {
            return nil
        }
        return inside
    }
}
