extension SystemRoots {
    /// Reads the roots from given places.
    static func load(from locations: RootLocations) throws(SystemRootsError) -> SystemRoots {
        var harvest = RootHarvest()
        for file in locations.files {
            let found = harvest.add(file: file, isNamed: locations.areNamed)
            if found, !locations.areNamed { break }
        }
        if locations.areNamed || harvest.certificates.isEmpty {
            for folder in locations.folders { harvest.add(folder: folder, isNamed: locations.areNamed) }
        }
        guard !harvest.certificates.isEmpty else {
            let searched = locations.files + locations.folders
            throw SystemRootsError(
                .noRoots, searched: searched, skipped: harvest.skipped,
                reason: reason(searched, harvest.skipped, locations.variables))
        }
        return SystemRoots(harvest, variables: locations.variables)
    }

    private static func reason(_ searched: [String], _ skipped: [SkippedRoot], _ variables: [String]) -> String {
        let places = searched.map { Printable.text($0) }.joined(separator: ", ")
        let problem = skipped.first.map { " The first problem: \($0)" } ?? ""
        guard variables.isEmpty else {
            return "There is no usable root certificate in \(places), which "
                + "\(variables.joined(separator: " and ")) names. Correct or unset it.\(problem)"
        }
        return "There is no usable root certificate on this machine; looked in \(places). Install the package "
            + "ca-certificates, or let SSL_CERT_FILE name a bundle.\(problem)"
    }
}
