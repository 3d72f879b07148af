// `URLResourceValues.isExcludedFromBackup` is Apple's.
import Foundation

/// Keeps what belongs to this device alone out of backups.
enum Backup {
    /// Excludes a folder, with what is in it. Backups that know no such mark take it along.
    static func exclude(_ folder: URL) {
        #if canImport(Darwin)
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // A volume without such marks is none that is backed up.
        try? folder.setResourceValues(values)
        #endif
    }
}
