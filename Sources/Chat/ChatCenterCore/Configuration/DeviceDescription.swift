/// The description of the device that `registerDevice` sends.
package struct DeviceDescription: Hashable, Sendable {
    package var uid: String?
    /// The IANA name of the time zone.
    package var timeZone: String?
    package var osName: String?
    package var osVersion: String?
    package var locale: String?
    package var model: String?

    package init(
        uid: String? = nil, timeZone: String? = nil, osName: String? = nil, osVersion: String? = nil,
        locale: String? = nil, model: String? = nil
    ) {
        self.uid = uid
        self.timeZone = timeZone
        self.osName = osName
        self.osVersion = osVersion
        self.locale = locale
        self.model = model
    }
}
