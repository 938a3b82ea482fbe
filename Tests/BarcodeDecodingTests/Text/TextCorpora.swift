@testable import BarcodeDecoding

/// Names, words and addresses of several languages, as the data generator Faker 40 makes them.
///
/// The decoder's statistics come from another source, so that these measure it fairly.
enum TextCorpora {
    /// Chinese names of two characters.
    static let chineseNames2 = list(
        """
        王帆|谢璐|王俊|王佳|曹飞|罗亮|周欢|郑博|谢坤|李鑫|冯瑜|黄艳|苏丽|周宇|杨倩|苏鑫|姚婷|张林|左瑜|张莹|张敏|王博|陈峰|蒋鹏|赵旭|曾飞|王利|张慧|祁杰|马林|朱凯|
        李慧|马瑞|张畅|蒋杰|查俊|曾想|江娜|强萍|孟倩|李旭|马雪|朱伟|黎欢|贾杨|赵凯|张阳|王旭|周想|王楠|胡晶|欧琴|汤博|李欢|牛华|张刚|林涛|徐璐|杜欣|林艳|尚杨|李佳|
        徐斌|周楠|李成|刘帆|樊瑞|杨岩|杨云|郭英|李娜|翟博|李华|周斌|翁健|刘佳|韩平|曲瑞|王杨|曹文|徐东|杨勇|王勇|林丽|蒋娜|张成|权鹏|王霞|张凯|孔红|杜平|张玲|王云|
        王婷|黄伟|胡杨|林强|刘健|赵刚|王莉|薛琳|申璐|尹娜|王亮|罗勇|潘鑫|刘宇|刘文|顾宇|冯岩|蔡莉|王飞|刘帅|容杨|陈宇|左利|谢建|葛云|王伟|吴欢|
        """)

    /// Chinese names of three characters.
    static let chineseNames3 = list(
        """
        聂桂兰|黄秀荣|曾建国|边淑兰|陈秀兰|罗秀荣|崔秀梅|蒋红霞|赵秀芳|王淑华|王秀荣|刘建国|路桂芳|曹淑兰|陈玉梅|王秀梅|樊婷婷|刘玉华|张桂兰|李金凤|庞桂芝|吴玉梅|亢志强|
        张丹丹|陈淑珍|李婷婷|李淑华|黄秀芳|杨淑华|刘玉珍|丁丹丹|夏雪梅|刘秀兰|杨桂珍|江桂荣|张金凤|田建军|蔡桂珍|姜兰英|吴秀云|游淑兰|金建华|陈冬梅|张红霞|黄建国|李淑英|
        萧秀珍|王小红|刘桂芳|王兰英|王建华|尚玉梅|李小红|司志强|李桂花|余淑珍|刘秀荣|彭玉梅|姜建平|陈雪梅|李兰英|张淑华|汤桂英|许金凤|顾丹丹|刘淑兰|陈红霞|欧阳晶|施玉英|
        吴桂香|夏秀荣|薛玉兰|欧桂花|宋秀兰|聂桂花|谢建军|田凤英|李丽华|谭建军|卢淑兰|张冬梅|杜桂花|许秀云|钟雪梅|彭淑英|孙桂荣|吴小红|王红霞|郭秀梅|浦秀荣|张建华|黄秀梅|
        余秀华|童海燕|何红梅|石红梅|张秀云|钟丽丽|刘志强|张凤英|邓玉英|林桂芝|王丽娟|周玉华|罗桂兰|黄金凤|杨桂英|巫金凤|杨玉珍|赵秀云|夏淑珍|王桂芳|郑秀兰|金婷婷|唐建军|
        陈志强|邓玉梅|祁丽丽|吴淑珍|何桂芝|
        """)

    /// Chinese companies, addresses and jobs.
    static let chineseTexts = list(
        """
        福州路R座|巨奥网络有限公司|六安路I座|专柜彩妆顾问(BA)|凌云网络有限公司|四通信息有限公司|葡萄牙语翻译|国讯网络有限公司|南宁街Z座|行政专员/助理|联通时科信息有限公司|采购|
        明腾科技有限公司|中建创业科技有限公司|趋势传媒有限公司|辽阳街r座|哈尔滨街L座|天开信息有限公司|晖来计算机传媒有限公司|良诺科技有限公司|其他|海门街d座|艾提科信信息有限公司|保镖|
        信诚致远科技有限公司|菊风公司科技有限公司|生产主管|汽车制造|放映经理/主管|通际名联科技有限公司|晒版员|网店淘宝|大冶街p座|华泰通安科技有限公司|立信电子科技有限公司|
        海创信息有限公司|楼面经理|创联世纪科技有限公司|谭街L座|深圳路q座|菊风公司信息有限公司|造纸研发|飞海科技传媒有限公司|储备经理人|佛山街k座|网店模特|收货员|泰麒麟信息有限公司|
        南康科技有限公司|网店美工|机械机床|纸样师/车板工|趋势科技有限公司|杨街h座|思优信息有限公司|信贷管理|院校教务管理人员|盟新传媒有限公司|影视/媒体|七喜网络有限公司|
        质量管理/测试主管(QA/QC主管)|昂歌信息网络有限公司|通辽路Z座|咨询热线/呼叫中心服务人员|生产文员|辽阳路h座|南昌路h座|淮安路p座|店铺推广|六安路k座|李街Z座|潜江街l座|
        联软科技有限公司|华远软件信息有限公司|记者|创汇网络有限公司|华泰通安网络有限公司|建筑机电工程师|汕尾路n座|大客户销售|
        """)

    /// Names from Taiwan.
    static let traditionalNames = list(
        """
        劉雅玲|陳麗玲|洪秀梅|金建宏|王俊銘|胡明珠|李雅玲|李秀英|李麗雪|陳淑貞|李志宏|黃玉蘭|陽冠霖|熊宇恩|趙世昌|郭怡婷|陳美惠|陳志成|陳明德|陳志遠|宋麗華|古麗卿|魏秀霞|
        張碧雲|張惠美|黃雅雯|王佳玲|蔡建良|李宗翰|袁雅玲|林素蘭|李金龍|黃美玲|許明宏|廖志賢|李美娟|陶慧玲|吳玉玲|黃文賢|施俊宏|卓芸菲|邱文傑|吳美惠|許志偉|賀冠宇|張寶珠|
        余宇軒|李文龍|洪宜蓁|江子睿|張家瑋|吳美雲|游彥廷|洪淑華|陸柏宏|陳美玉|張玉梅|郭宇翔|蘇月娥|陳嘉宏|陳俊傑|吳柏宇|董秀英|吳信宏|方秀玉|江美惠|王俊傑|林建興|李志誠|
        童怡婷|鍾美華|吳美玲|陳明珠|蘇碧霞|陳俊豪|薛雅玲|陳志明|蕭文正|范素珍|黃國雄|楊志鴻|陳俊佑|劉宇翔|曾春美|林淑華|陳哲瑋|程美玲|邱家豪|王文欽|陳文雄|林凱翔|陳永昌|
        吳文雄|甘麗華|賴秀玉|王俊豪|趙俊宏|王家豪|王淑玲|顏彥廷|
        """)

    /// Companies and addresses from Taiwan.
    static let traditionalTexts = list(
        """
        76583 牡丹博愛路5號5樓|92134 卑南新北投路45號之6|478 草屯民享街8段458號之9|台灣力電|台灣地土銀行股份有限公司|79240 太保大同路9號之8|
        51413 白沙象山街324號5樓|冠智科技|秀威影城資訊有限公司|42414 白沙永和路5號6樓|429 八德縣中正路1號1樓|235 阿里山市自由路67號之8|
        46827 板橋明德路143號5樓|513 花蓮小碧潭街930號之2|律理法律股份有限公司|29935 連江市新北投街5號5樓|40044 三重新生路67號之2|一統星巴克|
        華聯電子資訊有限公司|294 北港縣北投巷6號4樓|台灣BIM有限公司|碩華電腦|624 連江北投巷795號5樓|達宏國際電子股份有限公司|天中電視股份有限公司|
        70019 斗六林森街29號3樓|87610 馬公市中正路9段52號0樓|117 連江四維路459號之1|明陽海運資訊有限公司|台灣迪奧汽車有限公司|70594 光復市土城巷4號之1|
        789 平鎮縣中山路4號3樓|43847 員林市萬隆街92號8樓|達廣電腦資訊有限公司|69712 白沙仁愛街4號之4|26193 連江縣芝山巷41號之8|609 楊梅芝山巷4號之5|
        809 新北新生路3號之6|884 桃園大同街8段1號2樓|立三電視有限公司|遠西百貨有限公司|達友光電股份有限公司|台灣來自水有限公司|AYHOO!摩奇有限公司|鮮爭資訊有限公司|
        樂可旅遊集團資訊有限公司|華中郵政股份有限公司|697 新北大坪巷522號之4|台北眾大捷運股份有限公司|70813 永和石牌路614號之8|686 新營北投街6段4號之2|美奧廣告|
        旗花（台灣銀）行資訊有限公司|229 蘆竹迴龍巷9段451號9樓|895 北竿市福德路18號4樓|43067 竹田市西門巷1號1樓|台灣生資堂有限公司|創群光電（奇原美電子）股份有限公司|
        603 桃園縣延平巷1號之0|779 牡丹市福德巷7號之2|22328 永和縣長安巷9段6號9樓|904 鳳山縣淡水街671號3樓|10921 朴子永和街3號5樓|古太可口可樂資訊有限公司|
        467 桃園市民族巷450號之6|70404 竹北文山街844號9樓|星燦國際旅行社股份有限公司|都亞緻麗股份有限公司|見遠雜誌|秀威影城有限公司|139 永和關渡街52號1樓|
        一統企業有限公司|光新三越百貨股份有限公司|67616 新營市公園巷3號9樓|律理法律|台日積體電路股份有限公司|家宜家居（KIEA）|碩華電腦資訊有限公司|一統超商有限公司|
        68571 員林新莊巷5號之1|
        """)

    /// Japanese names.
    static let japaneseNames = list(
        """
        田中 篤司|後藤 春香|佐藤 あすか|井上 結衣|池田 直子|吉田 結衣|小林 くみ子|前田 舞|青木 充|伊藤 直人|池田 真綾|長谷川 稔|鈴木 学|藤井 篤司|池田 花子|井上 花子|
        松田 明美|中島 幹|林 真綾|長谷川 陽一|中村 香織|松田 直子|鈴木 結衣|西村 康弘|渡辺 幹|松本 幹|中川 治|松本 桃子|岡田 翔太|高橋 稔|田中 里佳|中村 太郎|
        高橋 くみ子|小林 春香|阿部 桃子|山田 香織|加藤 美加子|山田 直樹|前田 京助|池田 太郎|松本 千代|松本 真綾|佐藤 知実|木村 篤司|山本 英樹|藤井 直子|渡辺 智也|
        松本 直樹|田中 翼|清水 春香|山下 拓真|佐藤 七夏|吉田 陽子|中村 真綾|西村 修平|石井 香織|小林 桃子|佐々木 里佳|鈴木 浩|福田 舞|中川 さゆり|吉田 直樹|山口 洋介|
        森 裕太|加藤 篤司|井上 真綾|鈴木 千代|木村 晃|佐々木 亮介|山下 直樹|井上 裕太|近藤 くみ子|長谷川 里佳|山本 修平|田中 英樹|松本 香織|小林 七夏|山口 舞|
        山本 翔太|小川 結衣|山本 くみ子|田中 充|福田 幹|小林 陽一|田中 結衣|石川 晃|加藤 浩|佐藤 千代|山本 知実|斉藤 篤司|吉田 充|佐藤 亮介|岡田 直樹|佐藤 裕太|
        山口 稔|高橋 零|山口 智也|田中 治|加藤 稔|橋本 美加子|
        """)

    /// Japanese companies, addresses and jobs.
    static let japaneseTexts = list(
        """
        高橋水産合同会社|株式会社高橋ガス|新潟県横浜市旭区西神田36丁目24番5号 猿楽町クレスト832|漫画家|新潟県渋谷区土呂部21丁目13番5号 クレスト外国府間372|ヨシダ ミノル|
        スズキ ハルカ|アベ シュウヘイ|小説家|有限会社佐々木水産|坂本農林株式会社|建築家|演歌歌手|和紙職人|お笑い芸人|タナカ ナオキ|藤田保険株式会社|
        長野県君津市南赤田1丁目12番7号 コーポ九段南255|佐々木印刷合同会社|タナカ ナナミ|ヤマシタ トモヤ|イラストレーター|徳島県匝瑳市氏家新田39丁目13番15号 パレス土呂部891|
        山崎鉱業有限会社|愛知県八街市北青山11丁目12番6号 ハイツ一ツ橋742|スズキ チヨ|群馬県武蔵野市上広谷35丁目18番4号|山田鉱業合同会社|ヤマグチ タロウ|有限会社加藤建設|
        フジイ ユウタ|サカモト アキラ|宮城県立川市幸手15丁目3番6号|コンドウ アキラ|京都府清瀬市東浅草8丁目10番19号 百村ハイツ339|ハセガワ オサム|
        静岡県富里市長畑14丁目20番6号 クレスト丸の内792|岐阜県川崎市中原区虎ノ門虎ノ門ヒルズ森タワー27丁目2番3号|群馬県新島村橋場11丁目5番12号|バスガイド|
        神奈川県香取郡東庄町神明内22丁目23番3号|鳥取県君津市鳥越34丁目25番11号|アニメーター|タナカ ミツル|有限会社後藤農林|林保険有限会社|タカハシ ナナミ|アナウンサー|
        ムラカミ ユミコ|兵庫県世田谷区花川戸20丁目24番19号|スズキ ヨウイチ|花火師|ナカジマ チヨ|タナカ トモヤ|有限会社木村運輸|
        宮城県渋谷区白金台41丁目22番11号 シティ高輪359|小川水産有限会社|高知県鴨川市無栗屋31丁目14番14号 九段南シャルム583|医師|
        京都府横浜市港北区入谷40丁目2番10号 日比谷公園ハイツ276|
        """)

    /// Japanese names in katakana of half width.
    static let halfWidthNames = list(
        """
        ｻﾄｳ ﾐﾂﾙ|ﾔﾏﾀﾞ ﾅｵﾄ|ﾏﾂﾀﾞ ﾋﾛｼ|ｻﾄｳ ﾖｳｽｹ|ｽｽﾞｷ ﾁﾖ|ｼﾐｽﾞ ﾊﾅｺ|ﾏﾂﾓﾄ ﾁﾖ|ｲﾉｳｴ ﾖｳｽｹ|ﾜﾀﾅﾍﾞ ﾖｳｲﾁ|ｲﾄｳ ｹﾝｲﾁ|
        ｵｶﾀﾞ ｼﾞｭﾝ|ｺﾊﾞﾔｼ ﾘｶ|ｲｼｶﾜ ﾕﾐｺ|ｶﾄｳ ﾅｵﾄ|ｲﾄｳ ｱｽｶ|ﾌｼﾞﾜﾗ ﾊﾅｺ|ｽｽﾞｷ ﾐｷ|ﾖｼﾀﾞ ﾐﾉﾙ|ﾀﾅｶ ﾖｳｺ|ｽｽﾞｷ ｹﾝｲﾁ|
        ﾏｴﾀﾞ ｶｵﾘ|ﾖｼﾀﾞ ｼｭｳﾍｲ|ﾌｼﾞﾀ ｼｭｳﾍｲ|ﾅｶｼﾞﾏ ｱｹﾐ|ｻﾄｳ ｼｭｳﾍｲ|ｻﾄｳ ﾘｶ|ｲﾉｳｴ ﾘｶ|ｷﾑﾗ ﾀｲﾁ|ﾔﾏﾓﾄ ｱｽｶ|ｲｹﾀﾞ ﾂﾊﾞｻ|
        ｵｶﾀﾞ ﾄﾓﾔ|ﾅｶﾑﾗ ﾘｮｳｽｹ|ｺﾊﾞﾔｼ ﾘｮｳﾍｲ|ｻｻｷ ｶｵﾘ|ｵｶﾞﾜ ﾐｷ|ｺﾝﾄﾞｳ ﾅｵﾄ|ﾔﾏｸﾞﾁ ｻﾄﾐ|ﾜﾀﾅﾍﾞ ｱｹﾐ|ﾔﾏｼﾀ ﾖｳｽｹ|
        ﾌｼﾞﾀ ﾏｱﾔ|ｵｶﾀﾞ ﾖｳｽｹ|ﾀｶﾊｼ ｱｹﾐ|ｲﾄｳ ﾋﾛｼ|ｻﾄｳ ｶｵﾘ|ｺﾞﾄｳ ｻﾄﾐ|ｲｼｲ ﾀｲﾁ|ｻｻｷ ﾘｶ|ｺﾊﾞﾔｼ ｶﾅ|ﾊﾔｼ ｷｮｳｽｹ|
        ﾖｼﾀﾞ ﾋﾛｼ|ﾏｴﾀﾞ ﾕﾐｺ|ｲｼｲ ｹﾝｲﾁ|ｱﾍﾞ ﾁﾖ|ｲｹﾀﾞ ﾐｷ|ｽｽﾞｷ ﾅｵｷ|ｻﾄｳ ﾁﾖ|ｻﾄｳ ﾋﾛｼ|ﾔﾏｻﾞｷ ﾕｳﾀ|ｲﾄｳ ﾚｲ|ｵｶﾀﾞ ｱﾂｼ|
        ﾌｼﾞﾀ ｱﾂｼ|ﾜﾀﾅﾍﾞ ｸﾐｺ|ｻﾄｳ ｶﾅ|ﾀﾅｶ ﾖｳｲﾁ|ｼﾐｽﾞ ﾀｲﾁ|ﾔﾏｸﾞﾁ ﾘｮｳﾍｲ|ﾌｼﾞｲ ｱｹﾐ|ｺﾝﾄﾞｳ ﾋﾃﾞｷ|ﾔﾏｸﾞﾁ ﾏﾅﾌﾞ|
        ﾊｼﾓﾄ ﾐﾉﾙ|ﾔﾏﾀﾞ ｱｹﾐ|ﾀﾅｶ ﾘｶ|ﾓﾘ ｶｽﾞﾔ|ｲﾉｳｴ ﾀﾛｳ|ｽｽﾞｷ ｼｮｳﾀ|ｽｽﾞｷ ｼﾞｭﾝ|ﾔﾏﾓﾄ ﾅﾅﾐ|ｻｻｷ ﾋﾛｼ|ﾌｼﾞﾀ ｱｹﾐ|
        ｽｽﾞｷ ｶｽﾞﾔ|
        """)

    /// Korean names.
    static let koreanNames = list(
        """
        황서영|나지훈|김지연|김경자|서정남|백주원|강성민|김주원|김영미|김진호|박은정|권순옥|김옥자|정성현|김지영|이도현|김준혁|이도윤|박상철|장상호|남옥순|강은지|권중수|
        이미영|강은영|하서준|이진호|문재현|윤지아|김도윤|김정웅|김명자|오은지|양하은|배상훈|한민준|양지혜|이상철|안동현|이성진|홍명자|황정남|이광수|홍도윤|김영환|이서준|
        심아름|이민지|문하은|권진우|윤중수|고서현|이경숙|이성호|박영식|최영식|박지훈|이명숙|이시우|박서윤|엄현숙|김시우|박영일|김영수|하종수|송재현|이주원|한영수|박재현|
        배은주|김은지|장민서|이중수|김준호|윤정자|박정웅|홍서준|홍수진|김성호|서정숙|백병철|이종수|우정훈|김승현|최지영|홍민재|조예은|이선영|이영자|엄미정|권민준|김준서|
        김은경|김정호|오미숙|류현우|김지아|김도현|이정남|최예원|
        """)

    /// Korean companies, addresses and jobs.
    static let koreanTexts = list(
        """
        가축 사육 종사원|인천광역시 마포구 석촌호수거리 186-89 (순옥이곽면)|서울특별시 동작구 논현507가 지하695|재활용 처리 및 소각로 조작원|
        경상남도 용인시 수지구 선릉로 지하556|유한회사 글로벌한빛센터|(유) 시너지코어코스메틱|펄프 및 종이 제조장치 조작원|
        대구광역시 성북구 강남대로 140-52 (순자박박면)|대전광역시 강남구 삼성7로 379-15 (정자윤강마을)|종이제품 생산기 조작원|기타 종교관련 종사자|경리 사무원|
        광주광역시 동대문구 백제고분가 204-2 (예지이김동)|위생사|주식회사 가람보안|변호사|(유) 한가람소프트|보건의료관련 관리자|정보통신관련 관리자|(주) 고려뷰티|
        경상남도 연천군 서초대거리 428-96|(유) 브레인겨레기획|조사 전문가|(유) 고려기술|(주) 하나|주식회사 한강브레인에이아이|유한회사 나루|
        제주특별자치도 성남시 수정구 선릉가 235-40|검표원|데이터베이스 개발자|(주) 고구려조선바이오|시민 단체 활동가|유한회사 우리|
        강원특별자치도 태안군 석촌호수20길 111|통신 및 관련 장비 설치 및 수리원|웨이터|세무사|기타 자동차 운전원|울산광역시 구로구 도산대3로 298 (순옥한마을)|
        주식회사 라온신문|섬유제조 기계조작원|주식회사 네오겨레센터|(유) 한가람한가람신문|(유) 유니온한강신문|대전광역시 용산구 도산대83길 지하955|주식회사 우리|
        주식회사 보람네트웍스|택배원|세종특별자치시 구로구 학동1가 지하496 (영철장읍)|양식 주방장 및 조리사|유한회사 한가람씨앤씨연구소|유한회사 한강|
        서울특별시 성동구 학동420길 지하478 (재호김면)|제주특별자치도 안양시 개포로 295-99 (미정한면)|치과위생사|구두 미화원|한복 제조원|건축 목공|
        주식회사 마음넥스트유통|
        """)

    /// Western names with an accented letter.
    static let latinNames = list(
        """
        Odalys Pla Baños|Grethe Møller-Brandt|Socorro Ferrando Ariño|Said Höglund|
        Jerónimo de la Garza Carreón|Georges Hébert|Tuomas Seppälä|Claudine Labonté|Sébastien Morvan|
        Christopher Søndergaard|Isaura Jerez Bertrán|Benício Rezende|Leyre Águila|
        Gracia Suárez Carrasco|Ann-Charlotte Åkesson-Kristiansson|José José María Haro Huerta|
        Wilfredo Gisbert Sáez|Elisabet Sundström|Lisa Karlström|Maximiliano Castañeda|Ana Luiza Leão|
        Visitación Agullo Villalba|Ing. Teresa Tröst|Édith-Agathe Baudry|Christina Bergström|
        Tapio Lindholm-Kivimäki|Vilhelmiina Niemelä|Nelly Cepeda Muñoz|François Lessard|
        Héctor de Guzmán|Dionisio Palau Hernández|Nanna Jørgensen|Théo Lima|Azucena Crespi Barragán|
        Océane de la Rolland|August Ström|Sr. João Felipe Ribeiro|Denis Clément|Thomas-Benoît Weber|
        Elsa Oikarinen-Lepistö|Édith Paquette-Lamoureux|Dr. Britta Börner MBA.|Eero Pääkkönen|
        Sr. Luiz Otávio Jesus|Édouard-Matthieu Navarro|Narciso Juliá Caro|Juan Bernabé García|
        François Ouellet|Eligia Mónica Valverde Castells|Mélanie Lambert|Héctor Ulibarri Ballesteros|
        Herr Heinrich Löffler|Mercedes Karla Yáñez Herrera|Mario Márquez|Bertrand Rémy-Alexandre|
        José Luis Abelardo Preciado Partida|Mathias Fogaça|Gervasio Morán Cervantes|
        Dulce María Padilla Acosta|Åsa Ekberg|Françoise Picard-Ménard|Georges-Pierre Hébert|
        Sabina Barragán Andrade|Pedro Jacobo López Urbina|Ing. Israel Fernández|
        Robert Mattsson Nordström|Märta Mårtensson|Hanna Hämäläinen-Tuomi|Cecília Garcia|
        Laetitia Létourneau|Edvin Söderström|Gunner Østergaard-Overgaard|Sirkka Keränen|
        Maura Casares-Domínguez|Michaela Stütz-Maierhofer|Dr. Øystein Ravn|Oskar Østergaard|
        Honoré Brunet|Elisabet Augustsson Jönsson|Eelis Järvinen|Océane Giguère-Desbiens|
        Frédéric Lacroix|Marika Mälzer MBA.|Caroline Jansson Sköld|Frédérique Peltier|
        Olivia Elvira Valdés Sauceda|Melania Cruz Fernández|Claudio Bernabé Barreto Luna|
        Valérie Lefebvre|Alondra Sanchez-Jáuregui|Horacio Bilbao Aragón|Björn Jonasson|Leocadia Niño|
        José Luis Carrero|Univ.Prof. Carlotta Häusler|Noémi-Nicole Roche|Léo Cirino|
        Émilie-Béatrice Dumont|Ing. Zdravko Hövel B.Eng.|Tiina Järvinen|Akseli Seppälä|Alisa Hänninen|
        Manon-Cécile Béland|Débora Oliva Pujol|Eugenio Bernabé Vega Meza|Dr. José Pedro Ribeiro|
        Martin-Rémy Cohen|Johan Näslund|Cynthia Merino Ramírez|Louis Gagné|Melissa Grüner|Ágatha Moura|
        Jose Ramón Rosell Vargas|Nicolás Gutiérrez Montoya|Sr. Jesús Maldonado|Noémi-Alix Perret|
        Inés Cecilia Rangel|Laura Bergström|Vanessa-Véronique Duval|Hanna Aalto-Sillanpää|
        Gérard Villeneuve|Niccolò Corcos|Esther Frühwirth|Ana Júlia Jesus|Yeni Inés Rendón|Helge Rosén|
        Helena Mäenpää|Alejandra María Elena Partida|Lars Sköld|Luísa da Cunha|Arthur Létourneau|
        Nathan Noël|Dragan Jähn|Custodia de Múñiz|Univ.Prof. Minna Köhler|Josep David Giménez Martín|
        Zoé Guillaume|Srita. Eva Téllez|Luis Hugo Carrión Niño|Emil Hänninen-Kallio|
        Univ.Prof. Øystein Andreasen|Narciso Alberto-Girón|Benjamin-Stéphane Cohen|Jörgen Sundqvist|
        Nete Sørensen|Gunner Østergaard|Maitê Viana|Diana Inés Almonte|Maria Hänninen|Ingrid Ekström|
        Birte Neuschäfer|Françoise Boily|Mariano Perea Báez|Asko Salonen-Määttä|Adán Briones Moya|
        Bastian Müller|Renée Dupont|Camille Létourneau|Noël-Matthieu Chevallier|Thérèse Salmon|
        """)

    /// Single words with an accented letter.
    static let latinWords = list(
        """
        Palomäki-Aaltonen|Järvi|Aurélie|Danielsen-Jørgensen|Gutiérrez|César|Väisänen|Höfig|Penttilä|
        Grégoire|Mäkinen|Ménard|Østergaard|Götz|María|Léo|Muñoz|Karlström|Jérôme|Hernández|Lidström|
        Laís|Élisabeth|Döring|Kivimäki-Kinnunen|Célina-Stéphanie|Hämäläinen|Ramírez|Eugène|Fernández|
        Débora|Sjödin|Adélaïde|Lepistö|Concepción|Mäkelä|Engström|Cañellas|Ágata|Ángela|Järvinen|
        Aragão|Darío|Padrón|Viñas|Fogaça|Suárez|Sillanpää-Hautala|Räsänen|Célina|Calderón-Caro|
        Frédéric-Daniel|Röck|Seguí|Negrón|Löfgren-Gustafsson|Jönsson|Süßebier|Mendès|Glatz-Häusler|
        Hübel|Óliver|Börje|Pabón|Räsänen-Nurminen|Wähner|Zoé-Anaïs|Bergström|Hänninen|Étienne|Llabrés|
        Almazán|Bäckström|Römer|Martínez|Björk|Gstrein-Frühwirth|Lavínia|Édith-Adèle|Jähn|Agnès|Noé|
        Grönlund|Deschênes-Charest|Zoé|Joaquín|Piché|Kössler|Cauê|Aragón|Clémence|Larivière|Théodore|
        Jáquez|Émilie|Röck-Nußbaumer|Cabán|Benoît-Louis|Kåre|Héctor|José|Hyvönen|Dorothée|
        Mäkinen-Matikainen|Ocaña|René|Dubé|Rémy-Nguyen|Godínez|Cantú|Martín|Giménez|Léon|Raúl|
        Bédard-Boucher|Østergaard-Lauritsen|Théophile|Noël|Araújo|Júlia|
        """)

    /// Western addresses.
    static let latinTexts = list(
        """
        Lagerstræde 966|Circunvalación Sur Candelaria 070 Edif. 757 , Depto. 098|Vulkan Allé 890|
        Løvstikkegade 2|Privada Norte Menéndez 022 908|Tersløsegade 4|Roggestraße 6|Rosenørnsgade 28|
        Ramløsevej 716|Largo Léo Nascimento, 71|Vial de Eva Pallarès 95|
        Continuación Norte Nava 780 585|Furugränd 208|Glorieta de Jerónimo Galvez 961|
        561 montée Astrid|Urbanización de Ambrosio Alfonso 49|Storvägen 73|Australiens Allé 453|
        Praça de Farias, 3|344 chemin Clémence Apt. 443|Trädgårdsgatan 6|9937 boulevard Pénélope|
        Danneskiold-Samsøesvej 92|Rejsbystræde 82|Parkgränd 9|Aspvägen 74|
        Urbanización Fabiana Roldan 51 Piso 1 |Trädgårdstorget 5|Condomínio de Peixoto|Bärerring 58-55|
        Järkälekatu 439|Sítio Leão|75908 avenue Giguère|Ampliación Sinaloa 183 Edif. 945 , Depto. 896|
        Pasadizo de Carmela Pérez 9 Piso 8 |518, avenue Lemaître|Kaspar-Hövel-Gasse 6-8|Kvarnvägen 79|
        Callejón Norte Castro 789 Interior 113|Arnim-Geißler-Straße 8|
        Prolongación Becerra 020 Edif. 895 , Depto. 974|Prolongación Turkmenistán 935 Interior 125|
        5688 montée Auger Suite 144|Ny Østervej 3|
        Pasaje República Democrática Popular Lao 191 Edif. 553 , Depto. 664|Efterslægtsstræde 9|
        Skolgränd 69|Södingallee 7736|Colbjørnsensgade 9|90, chemin Andrée Turpin|
        Pasaje de Adán Catalá 684 Piso 4 |Cañada de Baltasar Velázquez 2|Sofienhøjvej 992|
        Skodsborg Allé 700|Ylä-Fallin tie 55|82402 avenue Frédéric|C. Casandra Julián 88|
        Viaducto México 917 865|Sjællandsvej 39|Bräuerstraße 369|
        Cerrada Sur Hernández 112 Interior 502|Aspgränd 42|Cerrada Etiopía 632 Edif. 699 , Depto. 336|
        Björktorget 626|Alameda Estefanía Company 82 Piso 9 |33, rue Isabelle François|
        Ampliación Sudán del Sur 187 Edif. 846 , Depto. 292|7416 avenue Lavallée|Estação Mendes|
        603 rue Prévost|Rambla de Fidela Uría 952 Puerta 8 |Avenida de Javier Jaén 6|
        Saban-Zorbach-Straße 3|Rørmose Allé 187|Steinbergerstraße 223|Jämsänkatu 1|
        Grækenlands Allé 107|Åløkkegade 17|Chácara Santos, 3|059 allé Édouard|
        """)

    /// Russian given names.
    static let russianNames = list(
        """
        Герасим|Адам|Каллистрат|Ипполит|Гремислав|Нифонт|Кира|Наина|Ирина|Иосиф|Азарий|Ким|Любосмысл|
        Ипат|Ян|Виталий|Онуфрий|Максим|Валентин|Варфоломей|Агафон|Фирс|Всемил|Селиверст|Добромысл|
        Арефий|Митофан|Куприян|Иннокентий|Емельян|Ульяна|Елизар|Людмила|Касьян|Всеслав|Творимир|
        Кондратий|Эрнст|Филимон|Исидор|Зиновий|Руслан|Влас|Дмитрий|Софон|Прокофий|Модест|Григорий|
        Трофим|Милица|Амвросий|Алевтина|Зинаида|Валерия|Алина|Феликс|Соломон|Велимир|Евсей|Владилен|
        Твердислав|Ратмир|Петр|Казимир|Гурий|Назар|Федосий|Пров|Авдей|Лукия|Эммануил|Авксентий|Игорь|
        Рубен|Лазарь|Николай|Светлана|Ангелина|Никита|Орест|
        """)

    /// Russian names, towns and jobs.
    static let russianTexts = list(
        """
        ст. Елец|ст. Яхрома|ст. Тутаев|Специалист по стрижке овец|Монтажник связи|
        Гурьев Фирс Афанасьевич|Пестова Зинаида Антоновна|ст. Макушино|Любомир Архипович Кудряшов|
        с. Канск|Инженер|п. Змеиногорск|Остромир Фёдорович Жданов|Родион Алексеевич Бирюков|к. Тикси|
        Зуев Светозар Феоктистович|с. Шатки|г. Чебаркуль|Рихтовщик|к. Гусь-Хрустальный|ст. Углич|
        с. Губаха|Сорокина Ульяна Аркадьевна|Востоковед|Любим Фёдорович Евсеев|ст. Курчатов|
        с. Бронницы|Анна Вениаминовна Баранова|д. Белокуриха|г. Североуральск|Вера Тимофеевна Маркова|
        к. Оса|Валерия Вениаминовна Рожкова|п. Жуковский|Мирослав Денисович Крылов|
        г-жа Никитина Евгения Станиславовна|п. Урюпинск|Крупье|Менеджер|с. Астрахань|
        Нестеров Герман Демидович|Холодильщик|Панкрат Григорьевич Романов|Любим Бенедиктович Мухин|
        Автослесарь|клх Красноуфимск|Архипов Евстигней Ефремович|д. Ростов|Назарова Алла Макаровна|
        п. Дно|Тихонова Лора Натановна|д. Заводоуковск|Корректор|Трофимов Сергей Егорович|
        Еремей Егорович Волков|Денисов Модест Ермолаевич|Евстафий Гавриилович Моисеев|
        Олимпиада Евгеньевна Сазонова|ст. Сарапул|Зиновий Власович Доронин|Медник|Библиотекарь|к. Ржев|
        Гаврилов Климент Давидович|Блинова Акулина Григорьевна|ст. Когалым|Строитель|ст. Инта|
        Николаева Людмила Романовна|ст. Кажим|д. Новый Уренгой|Математик|Квасник|Философ|клх Терскол|
        п. Холмогоры|Мстислав Ефимьевич Зуев|Скорняк|Быкова Прасковья Семеновна|Рогова Марина Ждановна|
        """)

    /// Chinese names of two characters, the second of which is any of the 3,755 of level 1.
    static func randomNames(_ count: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        let families = chineseNames2.compactMap(\.first)
        return (0..<count).compactMap { _ in
            let bytes = [UInt8.random(in: 0xB0...0xD6, using: &generator), .random(in: 0xA1...0xFE, using: &generator)]
            guard let family = families.randomElement(using: &generator) else { return nil }
            return CharacterEncoding.gb18030.decode(bytes[...]).map { String(family) + $0 }
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "|" || $0 == "\n" }).map(String.init)
    }
}
