//! The addresses under which this machine is reached, and that of the page as a picture that phones can read.

use std::net::{IpAddr, SocketAddr, UdpSocket};

use qrcode::EcLevel;

use casino_show::state::QrCode;

/// Addresses outside, one of each range that rooms use. Nothing is ever sent there: the system is only asked from
/// which of its addresses it would.
const PROBED_ADDRESSES: [&str; 5] =
    ["192.0.2.1:9", "192.168.255.254:9", "10.255.255.254:9", "172.31.255.254:9", "[2001:db8::1]:9"];

/// The addresses under which something that listens here is reached from outside, the best first. Where it listens at
/// every address of the machine, those that lead outside are found.
pub(crate) fn reachable(listens: SocketAddr) -> Vec<SocketAddr> {
    if !listens.ip().is_unspecified() {
        return vec![listens];
    }
    let mut found: Vec<SocketAddr> = Vec::new();
    for ip in PROBED_ADDRESSES.iter().filter_map(|outside| outgoing(outside)) {
        let suits = listens.is_ipv6() || ip.is_ipv4();
        if suits && !ip.is_loopback() && !found.iter().any(|known| known.ip() == ip) {
            found.push(SocketAddr::new(ip, listens.port()));
        }
    }
    if found.is_empty() {
        let here =
            if listens.is_ipv6() { IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1u16]) } else { [127, 0, 0, 1].into() };
        found.push(SocketAddr::new(here, listens.port()));
    }
    found
}

/// The address of this machine from which the system would send to that one; nothing if there is no way.
fn outgoing(outside: &str) -> Option<IpAddr> {
    let outside: SocketAddr = outside.parse().ok()?;
    let from: SocketAddr = if outside.is_ipv4() { ([0, 0, 0, 0], 0).into() } else { ([0u16; 8], 0).into() };
    let socket = UdpSocket::bind(from).ok()?;
    socket.connect(outside).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// The reach of a listening address, in words.
pub(crate) fn open_to(listens: SocketAddr) -> &'static str {
    match listens.ip().to_canonical().is_loopback() {
        true => "open to this machine only",
        false => "open to the whole network",
    }
}

/// Says of a page that listens here who can open it, and how.
pub(crate) fn open_page(what: &str, listens: SocketAddr) -> String {
    format!("{what} is {}: {}", open_to(listens), page_url(listens))
}

/// The best address of a page that listens here, as it is typed into a browser.
pub(crate) fn page_url(listens: SocketAddr) -> String {
    let page = reachable(listens)[0];
    match page.port() {
        80 => format!("http://{}/", host(page.ip())),
        port => format!("http://{}:{port}/", host(page.ip())),
    }
}

fn host(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// Where the page is found from outside.
#[derive(Clone, Debug)]
pub(super) struct PageLink {
    /// The address, as it is typed.
    pub(super) url: String,
    /// The same as a picture; nothing if only this machine can open it.
    pub(super) qr: Option<QrCode>,
}

impl PageLink {
    pub(super) fn to(page: SocketAddr) -> Option<PageLink> {
        let best = *reachable(page).first()?;
        let url = page_url(page);
        let qr = if best.ip().is_loopback() { None } else { qr_code(&url) };
        Some(PageLink { url, qr })
    }
}

/// A text as a QR code; nothing if it is too long for one.
pub(super) fn qr_code(text: &str) -> Option<QrCode> {
    let code = qrcode::QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let size = code.width();
    let modules = code.to_colors();
    let mut path = String::new();
    for (y, row) in modules.chunks(size).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, other| one == other) {
            if run[0] == qrcode::Color::Dark {
                path.push_str(&format!("M{x} {y}h{0}v1h-{0}z", run.len()));
            }
            x += run.len();
        }
    }
    Some(QrCode { size, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_addresses_are_reported_and_wildcards_are_resolved() {
        let chosen: SocketAddr = ([127, 0, 0, 1], 9000).into();
        assert_eq!(reachable(chosen), [chosen]);
        let any = reachable(([0, 0, 0, 0], 9000).into());
        assert!(
            !any.is_empty() && any.iter().all(|at| !at.ip().is_unspecified() && at.port() == 9000),
            "{any:?}"
        );
        assert_eq!(open_to(chosen), "open to this machine only");
        assert_eq!(open_to("[::ffff:127.0.0.1]:80".parse().unwrap()), "open to this machine only");
        for network in ["0.0.0.0:9000", "[::]:9000", "192.168.1.4:80"] {
            assert_eq!(open_to(network.parse().unwrap()), "open to the whole network");
        }
        assert_eq!(
            open_page("The page", chosen),
            "The page is open to this machine only: http://127.0.0.1:9000/"
        );
        assert_eq!(page_url(([10, 0, 0, 7], 80).into()), "http://10.0.0.7/");
        assert_eq!(page_url("[::1]:8080".parse().unwrap()), "http://[::1]:8080/");
    }

    #[test]
    fn a_code_is_square_and_has_its_three_corners() {
        let code = qr_code("http://192.168.1.20:8080/").expect("an address is short enough");
        assert_eq!(code.size, 25);
        for corner in ["M0 0h7v1h-7z", "M18 0h7v1h-7z", "M0 18h7v1h-7z"] {
            assert!(code.path.contains(corner), "{corner}: {}", code.path);
        }
        assert_eq!(qr_code(&"x".repeat(5_000)), None);
    }
}
